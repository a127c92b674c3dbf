import type { Cents } from '../../../domain/money.ts'
import { chartByDay, figureReport } from '../internal/build-report-of-daily-figures.ts'
import { linesTable } from '../internal/figure-table.ts'
import type { Sums } from '../internal/read-snapshot-figures.ts'

const chargedFigures = ['rent_charged', 'discounts_given', 'insurance_charged', 'fees_charged'] as const
const gross = (sums: Sums<(typeof chargedFigures)[number]>) =>
  sums.rent_charged + sums.discounts_given + sums.insurance_charged + sums.fees_charged

export const revenue = figureReport({
  title: 'Revenue',
  about: 'What was charged, by kind, less what was forgiven; accrual basis.',
  period: 'span',
  group: 'Money',
  reads: [...chargedFigures, 'concessions', 'bad_debt', 'unearned'],
  missed: true,
  columns: [
    { key: 'rent', label: 'Rent', as: 'cents', cell: (_, flow) => flow.rent_charged + flow.discounts_given },
    { key: 'insurance', label: 'Insurance', as: 'cents', wide: true, cell: (_, flow) => flow.insurance_charged },
    { key: 'fees', label: 'Fees', as: 'cents', wide: true, cell: (_, flow) => flow.fees_charged },
    { key: 'revenue', label: 'Revenue', as: 'cents', cell: (_, flow) => gross(flow) },
    { key: 'forgiven', label: 'Forgiven', as: 'cents', cell: (_, flow) => flow.concessions + flow.bad_debt },
  ],
  totals: 'always',
  buildParts({ read, flow, state }) {
    const lines: [string, Cents][] = [
      ['Rent', flow.rent_charged],
      ['Discounts', flow.discounts_given],
      ['Insurance', flow.insurance_charged],
      ['Fees', flow.fees_charged],
      ['Revenue', gross(flow)],
      ['Concessions', flow.concessions],
      ['Bad debt', flow.bad_debt],
      ['Revenue after both', gross(flow) + flow.concessions + flow.bad_debt],
      ['Of it unearned at the end', state.unearned],
    ]
    return {
      figures: [
        { label: 'Revenue', value: gross(flow), as: 'cents', explanation: 'as charged, net of what was waived' },
        { label: 'Concessions', value: flow.concessions, as: 'cents' },
        { label: 'Bad debt', value: flow.bad_debt, as: 'cents' },
        { label: 'Unearned at the end', value: state.unearned, as: 'cents', explanation: 'charged for days to come' },
      ],
      chart: { label: 'Revenue by day', as: 'cents', lines: [{ label: 'Revenue', values: chartByDay(read, gross) }] },
      above: [linesTable('Accrual', lines)],
    }
  },
})
