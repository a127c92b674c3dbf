/** Report of move-ins and move-outs of a span. A transfer counts as both. */

import type { Kysely } from 'kysely'
import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { countOf, type LinkedRow, type ListReport, leaseLink, loadTenantNames } from '../internal/list-report.ts'

export const moves: ListReport = {
  title: 'Move-ins and move-outs',
  about: 'Who came, who left and who changed units, with rent and length of stay.',
  period: 'span',
  group: 'People and work',
  columns: [
    { key: 'unit', label: 'Unit', as: 'text' },
    { key: 'what', label: 'What', as: 'text' },
    { key: 'on', label: 'Day', as: 'day' },
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'rent', label: 'Rent', as: 'cents' },
    { key: 'discount', label: 'Discount', as: 'cents', wide: true },
    { key: 'stay', label: 'Days of stay', as: 'count', wide: true },
    { key: 'why', label: 'Why', as: 'text', wide: true },
  ],
  async rows(services, place, { from, to }) {
    const { read } = services.db
    const leases = await loadMovedLeases(read, place.code, { from, to })
    if (leases.length === 0) return []
    const numbers = leases.map(({ lease_number }) => lease_number)
    const tenants = leases.map(({ tenant_id }) => tenant_id)
    const names = await loadTenantNames(read, place.code, tenants)
    const discounts = await loadDiscounts(read, place.code, numbers, to)
    const rents = await loadEarlierRents(read, place.code, numbers)
    const reasons = await loadReasons(read, place.code, numbers)
    const isWithin = (day: IsoDate | null) => day !== null && day >= from && day <= to
    return leases
      .flatMap((lease): LinkedRow[] => {
        const { lease_number: number, move_in_date: movedInOn } = lease
        const leftOn = lease.status === 'Closed' ? lease.closed_on : lease.scheduled_move_out
        const common = { unit: lease.unit_number, tenant: names.get(lease.tenant_id) ?? '' }
        const rentOn = (day: IsoDate) => rents.get(number)?.find((earlier) => earlier.until > day)?.rent ?? lease.rent
        const link = leaseLink(place.code, { tenantId: lease.tenant_id, leaseNumber: number })
        const discount = discounts.get(number) ?? 0
        const stay = leftOn === null ? null : daysBetween(movedInOn, leftOn) + 1
        return [
          {
            ...common,
            what: 'In',
            on: movedInOn,
            rent: rentOn(movedInOn),
            discount,
            stay: null,
            why: reasons.came.get(number) ?? '',
          },
          {
            ...common,
            what: 'Out',
            on: leftOn,
            rent: leftOn === null ? null : rentOn(leftOn),
            discount: null,
            stay,
            why: reasons.left.get(number) ?? '',
          },
        ]
          .filter(({ on }) => isWithin(on))
          .map((row) => ({ row, link }))
      })
      .sort((a, b) => String(b.row.on).localeCompare(String(a.row.on)))
  },
  head: (rows) => ({
    figures: [
      { label: 'Moved in', value: countOf(rows, ({ what }) => what === 'In'), as: 'count' },
      { label: 'Moved out', value: countOf(rows, ({ what }) => what === 'Out'), as: 'count' },
    ],
  }),
  missed: true,
  sums: [
    { key: 'in', label: 'Moved in', as: 'count', cell: (_, flow) => flow.move_ins },
    { key: 'out', label: 'Moved out', as: 'count', cell: (_, flow) => flow.move_outs },
  ],
}

const loadMovedLeases = (db: Kysely<Tables>, locationCode: string, { from, to }: { from: IsoDate; to: IsoDate }) =>
  db
    .selectFrom('leases')
    .select(['lease_number', 'tenant_id', 'unit_number', 'move_in_date', 'status', 'closed_on', 'scheduled_move_out'])
    .select('rent')
    .where('location_code', '=', locationCode)
    .where((eb) =>
      eb.or([
        eb.and([eb('move_in_date', '>=', from), eb('move_in_date', '<=', to)]),
        eb.and([eb('closed_on', '>=', from), eb('closed_on', '<=', to)]),
        // A lease is closed in the night after its last day; until then its scheduled move-out counts.
        eb.and([
          eb('status', '!=', 'Closed'),
          eb('scheduled_move_out', '>=', from),
          eb('scheduled_move_out', '<=', to),
        ]),
      ]),
    )
    .execute()

/** Sums each lease's discounts posted through a day, in cents. Entries posted later, such as reversals, do not count. */
async function loadDiscounts(db: Kysely<Tables>, locationCode: string, leases: readonly number[], through: IsoDate) {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', eb.fn.sum<number>('cents').as('cents')])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leases)
    .where('kind', '=', 'discount')
    .where('posted_on', '<=', through)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map(({ lease_number, cents }) => [lease_number, Number(cents)]))
}

/** Loads the earlier rents by lease, the oldest first; `until` is the first day of the next rent. */
async function loadEarlierRents(db: Kysely<Tables>, locationCode: string, leases: readonly number[]) {
  const rows = await db
    .selectFrom('rent_changes')
    .select(['lease_number', 'old_rent as rent', 'applied_from as until'])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leases)
    .where('state', '=', 'applied')
    .orderBy('applied_from')
    .execute()
  return Map.groupBy(
    rows.map((row) => ({ ...row, until: row.until ?? '' })),
    ({ lease_number }) => lease_number,
  )
}

/** Returns why leases began or ended: a transfer, or the tenant's reason. */
async function loadReasons(db: Kysely<Tables>, locationCode: string, leases: readonly number[]) {
  const moveOuts = await db
    .selectFrom('move_outs')
    .select(['lease_number', 'reasons'])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leases)
    .where('state', '=', 'completed')
    .execute()
  const transfers = await db
    .selectFrom('transfers')
    .select(['lease_number', 'unit_number', 'to_lease', 'to_unit_number'])
    .where('location_code', '=', locationCode)
    .where('state', 'in', ['moving', 'done'])
    .where((eb) => eb.or([eb('lease_number', 'in', leases), eb('to_lease', 'in', leases)]))
    .execute()
  return {
    came: new Map(transfers.map(({ to_lease, unit_number }) => [to_lease, `Moved from ${unit_number}`])),
    left: new Map([
      ...moveOuts.map(
        ({ lease_number, reasons }) => [lease_number, parseJson(reasons, isTextList).join(', ')] as const,
      ),
      ...transfers.map(({ lease_number, to_unit_number }) => [lease_number, `Moved to ${to_unit_number}`] as const),
    ]),
  }
}
