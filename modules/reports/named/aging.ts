import type { Roll, RollLease } from '../compress-rent-roll.ts'
import type { SumColumn } from '../internal/figure-table.ts'
import {
  centsOf,
  type ListFigureName,
  type ListReport,
  leaseLink,
  loadRollOfDay,
  loadTenantNames,
  owedOf,
  sumOfColumn,
  unitColumn,
} from '../internal/list-report.ts'
import { ageLabels } from '../rules/aging.ts'
import type { ReportColumn } from '../rules/report-format.ts'

const checkSentence = 'What is owed by age, less credits, comes to the balances of the leases'

interface Owing {
  unitNumber: string
  lease: Pick<RollLease, 'tenantId' | 'leaseNumber' | 'balance' | 'ages'> & Partial<RollLease>
  isClosed: boolean
}

/** Returns the leases with a balance: open leases first, then closed ones. */
const withBalance = (roll: Roll): Owing[] => [
  ...roll.units.flatMap(({ unitNumber, lease }) =>
    lease && lease.balance !== 0 ? [{ unitNumber, lease, isClosed: false }] : [],
  ),
  ...roll.closed.map(({ unitNumber, ...lease }) => ({ unitNumber, lease, isClosed: true })),
]

export const aging: ListReport = {
  title: 'Aging',
  about: 'What is owed, by days since it fell due, and what stands to tenants’ credit.',
  period: 'day',
  group: 'Money',
  columns: [
    unitColumn,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'state', label: 'Lease', as: 'text', wide: true },
    ...ageLabels.map(
      (label, at): ReportColumn => ({ key: `age${at}`, label, as: 'cents', ...(at > 0 && { wide: true }) }),
    ),
    { key: 'credit', label: 'Credit', as: 'cents', wide: true },
    { key: 'balance', label: 'Balance', as: 'cents' },
  ],
  async rows(services, place, { to: day }) {
    const roll = await loadRollOfDay(services, place, day)
    if (!roll) return null
    const owing = withBalance(roll)
    const names = await loadTenantNames(
      services.db.read,
      place.code,
      owing.map(({ lease }) => lease.tenantId),
    )
    return owing.map(({ unitNumber, lease, isClosed }) => ({
      row: {
        unit: unitNumber,
        tenant: names.get(lease.tenantId) ?? '',
        state: isClosed ? 'Closed' : 'Open',
        ...Object.fromEntries(lease.ages.map((cents, at) => [`age${at}`, cents])),
        credit: Math.max(-lease.balance, 0),
        balance: lease.balance,
      },
      link: leaseLink(place.code, lease),
    }))
  },
  separateTable: { title: 'Closed leases', includes: (row) => row.state === 'Closed' },
  head(rows) {
    const ages = ageLabels.map((label, at) => ({ label, value: sumOfColumn(rows, `age${at}`), as: 'cents' as const }))
    const owed = ages.reduce((sum, { value }) => sum + value, 0)
    return {
      figures: [...ages, centsOf(rows, 'Credits', 'credit')],
      check: {
        statement: checkSentence,
        difference: owed - sumOfColumn(rows, 'credit') - sumOfColumn(rows, 'balance'),
      },
    }
  },
  sums: [
    ...ageLabels.map(
      (label, at): SumColumn<ListFigureName> => ({
        key: `age${at}`,
        label,
        as: 'cents',
        ...(at > 0 && { wide: true }),
        cell: (state) => [state.owed_30, state.owed_60, state.owed_90, state.owed_91][at] ?? 0,
      }),
    ),
    { key: 'credit', label: 'Credits', as: 'cents', wide: true, cell: (state) => state.credits },
    {
      key: 'closed',
      label: 'Closed leases',
      as: 'cents',
      wide: true,
      cell: (state) => state.closed_owed - state.closed_credits,
    },
    { key: 'balance', label: 'Balances', as: 'cents', cell: (state) => state.balances },
  ],
  check: (sums) => ({
    statement: checkSentence,
    difference: owedOf(sums) - sums.credits + sums.closed_owed - sums.closed_credits - sums.balances,
  }),
}
