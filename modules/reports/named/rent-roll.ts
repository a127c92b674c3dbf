import type { RollLease, RollUnit, UnitUse } from '../compress-rent-roll.ts'
import { centsOf, countOf, type ListReport, leaseLink, loadRollWithNames, unitColumn } from '../internal/list-report.ts'

const useNames: Record<UnitUse, string> = { rented: 'Rented', held: 'Held', off: 'Out of service', free: 'Free' }

const rentedRow = ({ unitNumber, street }: RollUnit, lease: RollLease, names: ReadonlyMap<number, string>) => ({
  unit: unitNumber,
  use: lease.status,
  street,
  tenant: names.get(lease.tenantId) ?? '',
  movedIn: lease.movedIn,
  rent: lease.rent,
  plan: lease.premium,
  fees: lease.fees,
  paidThrough: lease.paidThrough,
  balance: lease.balance,
  autopay: lease.autopay ? 'yes' : '',
  lease: String(lease.leaseNumber),
})

const vacantRow = ({ unitNumber, use, street }: RollUnit) => ({
  unit: unitNumber,
  use: useNames[use],
  street,
  tenant: '',
  movedIn: null,
  rent: null,
  plan: null,
  fees: null,
  paidThrough: null,
  balance: null,
  autopay: '',
  lease: '',
})

export const rentRoll: ListReport = {
  title: 'Rent roll',
  about: 'Every unit that can be let: who rents it, since when, for how much.',
  period: 'day',
  group: 'Units and rents',
  columns: [
    unitColumn,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'use', label: 'State', as: 'text', wide: true },
    { key: 'movedIn', label: 'Moved in', as: 'day', wide: true },
    { key: 'rent', label: 'Rent', as: 'cents' },
    { key: 'street', label: 'Street', as: 'cents', wide: true },
    { key: 'plan', label: 'Insurance', as: 'cents', wide: true },
    { key: 'fees', label: 'Fees', as: 'cents', wide: true },
    { key: 'paidThrough', label: 'Paid through', as: 'day', wide: true },
    { key: 'balance', label: 'Balance', as: 'cents' },
    { key: 'autopay', label: 'Autopay', as: 'text', wide: true },
    { key: 'lease', label: 'Lease', as: 'text', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await loadRollWithNames(services, place, day)
    if (!roll) return null
    return roll.units.map((unit) =>
      unit.lease
        ? { row: rentedRow(unit, unit.lease, roll.names), link: leaseLink(place.code, unit.lease) }
        : { row: vacantRow(unit), link: null },
    )
  },
  head: (rows) => ({
    figures: [
      {
        label: 'Units',
        value: rows.length,
        as: 'count',
        explanation: `${countOf(rows, ({ lease }) => lease !== '')} rented`,
      },
      centsOf(rows, 'Rent', 'rent', 'for 30 days'),
      centsOf(rows, 'Street rates', 'street'),
      centsOf(rows, 'Balances', 'balance', 'of open leases'),
    ],
  }),
  sums: [
    { key: 'units', label: 'Units', as: 'count', cell: (state) => state.units },
    { key: 'rented', label: 'Rented', as: 'count', cell: (state) => state.units_rented },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (state) => state.rent },
    { key: 'street', label: 'Street rates', as: 'cents', wide: true, cell: (state) => state.street },
    {
      key: 'balance',
      label: 'Balances of open leases',
      as: 'cents',
      wide: true,
      cell: (state) => state.balances - state.closed_owed + state.closed_credits,
    },
  ],
}
