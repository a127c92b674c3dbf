import type { Kysely } from 'kysely'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  centsOf,
  type ListReport,
  leaseLink,
  loadRollOfDay,
  loadTenantNames,
  owedOf,
  unitColumn,
} from '../internal/list-report.ts'

export const pastDue: ListReport = {
  title: 'Past due',
  about: 'Leases that owe, by how long, and the lien case that is open.',
  period: 'day',
  group: 'People and work',
  columns: [
    unitColumn,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'days', label: 'Days', as: 'count' },
    { key: 'balance', label: 'Owed', as: 'cents' },
    { key: 'paidThrough', label: 'Paid through', as: 'day', wide: true },
    { key: 'lastPaid', label: 'Last paid', as: 'day', wide: true },
    { key: 'status', label: 'Status', as: 'text', wide: true },
    { key: 'lock', label: 'Gate', as: 'text', wide: true },
    { key: 'lien', label: 'Lien case since', as: 'day', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await loadRollOfDay(services, place, day)
    if (!roll) return null
    const owing = roll.units
      .flatMap(({ unitNumber, lease }) => (lease && lease.balance > 0 ? [{ unitNumber, lease }] : []))
      .map((owing) => ({ ...owing, days: Math.max(daysBetween(owing.lease.paidThrough, day), 0) }))
      .sort((a, b) => b.days - a.days || b.lease.balance - a.lease.balance)
    const leases = owing.map(({ lease }) => lease)
    const cases = await loadLienCases(services.db.read, place.code, day)
    const names = await loadTenantNames(
      services.db.read,
      place.code,
      leases.map(({ tenantId }) => tenantId),
    )
    const paid = await loadLastPayments(
      services.db.read,
      place.code,
      leases.map(({ leaseNumber }) => leaseNumber),
      day,
    )
    return owing.map(({ unitNumber, lease, days }) => ({
      row: {
        unit: unitNumber,
        tenant: names.get(lease.tenantId) ?? '',
        days,
        balance: lease.balance,
        paidThrough: lease.paidThrough,
        lastPaid: paid.get(lease.leaseNumber) ?? null,
        status: lease.status,
        lock: lease.overlocked ? 'Refuses' : 'Opens',
        lien: cases.get(lease.leaseNumber) ?? null,
      },
      link: leaseLink(place.code, lease),
    }))
  },
  head: (rows) => ({
    figures: [{ label: 'Leases', value: rows.length, as: 'count' }, centsOf(rows, 'Owed', 'balance')],
  }),
  sums: [
    { key: 'leases', label: 'Leases', as: 'count', cell: (state) => state.leases_owing },
    { key: 'locked', label: 'Overlocked', as: 'count', wide: true, cell: (state) => state.leases_overlocked },
    { key: 'balance', label: 'Owed', as: 'cents', cell: owedOf },
  ],
}

/** Loads the opening day of lien cases that were open on a day, by lease. */
async function loadLienCases(db: Kysely<Tables>, locationCode: string, day: IsoDate): Promise<Map<number, IsoDate>> {
  const rows = await db
    .selectFrom('lien_cases')
    .select(['lease_number', 'opened_on'])
    .where('location_code', '=', locationCode)
    .where('opened_on', '<=', day)
    .where((eb) => eb.or([eb('ended_on', 'is', null), eb('ended_on', '>', day)]))
    .execute()
  return new Map(rows.map(({ lease_number, opened_on }) => [lease_number, opened_on]))
}

async function loadLastPayments(
  db: Kysely<Tables>,
  locationCode: string,
  leases: readonly number[],
  day: IsoDate,
): Promise<Map<number, IsoDate>> {
  if (leases.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', eb.fn.max<IsoDate>('posted_on').as('paid')])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leases)
    .where('kind', '=', 'payment')
    .where('posted_on', '<=', day)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map(({ lease_number, paid }) => [lease_number, paid]))
}
