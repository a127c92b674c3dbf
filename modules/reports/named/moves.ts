/** Who moved in and who moved out in a span. */
import { daysBetween } from '../../../domain/plain-date.ts'
import { type ListReport, leaseLink, namesOf } from './lists.ts'

export const moves: ListReport = {
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
    const leases = await read
      .selectFrom('leases')
      .select(['lease_number', 'tenant_id', 'unit_number', 'move_in_date', 'closed_on', 'rent'])
      .where('location_code', '=', place.code)
      .where((eb) =>
        eb.or([
          eb.and([eb('move_in_date', '>=', from), eb('move_in_date', '<=', to)]),
          eb.and([eb('closed_on', '>=', from), eb('closed_on', '<=', to)]),
        ]),
      )
      .execute()
    const numbers = leases.map(({ lease_number }) => lease_number)
    const names = await namesOf(
      read,
      place.code,
      leases.map(({ tenant_id }) => tenant_id),
    )
    const [discounts, reasons] = numbers.length === 0 ? [[], []] : [await discountsOf(), await reasonsOf()]
    const discountOf = new Map(discounts.map((row) => [row.lease_number, Number(row.cents)]))
    const reasonOf = new Map(reasons.map((row) => [row.lease_number, (JSON.parse(row.reasons) as string[]).join(', ')]))
    const isWithin = (day: string | null) => day !== null && day >= from && day <= to
    return leases
      .flatMap((lease) => {
        const shown = { unit: lease.unit_number, tenant: names.get(lease.tenant_id) ?? '', rent: lease.rent }
        const link = leaseLink(place.code, { tenantId: lease.tenant_id, leaseNumber: lease.lease_number })
        const came = { what: 'In', on: lease.move_in_date, discount: discountOf.get(lease.lease_number) ?? 0 }
        const stay = lease.closed_on === null ? null : daysBetween(lease.move_in_date, lease.closed_on) + 1
        const left = { what: 'Out', on: lease.closed_on, stay, why: reasonOf.get(lease.lease_number) ?? '' }
        return [
          ...(isWithin(lease.move_in_date) ? [{ row: { ...shown, ...came, stay: null, why: '' }, link }] : []),
          ...(isWithin(lease.closed_on) ? [{ row: { ...shown, ...left, discount: null }, link }] : []),
        ]
      })
      .sort((a, b) => (String(a.row.on) < String(b.row.on) ? 1 : -1))

    function discountsOf() {
      return read
        .selectFrom('ledger_entries')
        .select((eb) => ['lease_number', eb.fn.sum<number>('cents').as('cents')])
        .where('location_code', '=', place.code)
        .where('lease_number', 'in', numbers)
        .where('kind', '=', 'discount')
        .groupBy('lease_number')
        .execute()
    }
    function reasonsOf() {
      return read
        .selectFrom('move_outs')
        .select(['lease_number', 'reasons'])
        .where('location_code', '=', place.code)
        .where('lease_number', 'in', numbers)
        .where('state', '=', 'completed')
        .execute()
    }
  },
}
