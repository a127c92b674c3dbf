import type { Kysely } from 'kysely'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  centsOf,
  type LinkedRow,
  type ListReport,
  leaseLink,
  loadRollWithNames,
  unitColumn,
} from '../internal/list-report.ts'
import type { ReportFigure } from '../rules/report-format.ts'

function varianceFigure(rows: readonly LinkedRow[], label: string, matches: (cents: number) => boolean): ReportFigure {
  const matching = rows.filter(({ row }) => matches(Number(row.variance)))
  return centsOf(matching, label, 'variance', `${matching.length} ${matching.length === 1 ? 'lease' : 'leases'}`)
}

export const rateVariance: ListReport = {
  title: 'Rate variance',
  about: 'Each lease’s rent against the street rate of its unit, and days since it changed.',
  period: 'day',
  group: 'Units and rents',
  columns: [
    unitColumn,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'rent', label: 'Rent', as: 'cents' },
    { key: 'street', label: 'Street', as: 'cents', wide: true },
    { key: 'variance', label: 'Above street', as: 'cents' },
    { key: 'share', label: 'Of street', as: 'share', wide: true },
    { key: 'days', label: 'Days at this rent', as: 'count', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await loadRollWithNames(services, place, day)
    if (!roll) return null
    const since = await loadRentStarts(services.db.read, place.code, day)
    return roll.units
      .flatMap(({ unitNumber, street, lease }) => (lease ? [{ unitNumber, street, lease }] : []))
      .sort((a, b) => b.lease.rent - b.street - (a.lease.rent - a.street))
      .map(({ unitNumber, street, lease }) => ({
        row: {
          unit: unitNumber,
          tenant: roll.names.get(lease.tenantId) ?? '',
          rent: lease.rent,
          street,
          variance: lease.rent - street,
          share: street === 0 ? null : lease.rent / street,
          days: Math.max(daysBetween(since.get(lease.leaseNumber) ?? lease.movedIn, day), 0),
        },
        link: leaseLink(place.code, lease),
      }))
  },
  head: (rows) => ({
    figures: [
      varianceFigure(rows, 'Above street', (cents) => cents > 0),
      varianceFigure(rows, 'Below street', (cents) => cents < 0),
    ],
  }),
  sums: [
    { key: 'rented', label: 'Rented', as: 'count', cell: (state) => state.units_rented },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (state) => state.rent },
    { key: 'street', label: 'Street rates of all units', as: 'cents', cell: (state) => state.street },
  ],
}

/** Loads the first day of the rent that each lease has on `day`, for leases whose rent had changed by then. */
async function loadRentStarts(db: Kysely<Tables>, locationCode: string, day: IsoDate): Promise<Map<number, IsoDate>> {
  const rows = await db
    .selectFrom('rent_changes')
    .select((eb) => ['lease_number', eb.fn.max<IsoDate>('applied_from').as('since')])
    .where('location_code', '=', locationCode)
    .where('state', '=', 'applied')
    .where('applied_from', '<=', day)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map(({ lease_number, since }) => [lease_number, since]))
}
