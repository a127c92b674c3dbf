import type { Cents } from '../../../domain/money.ts'
import { chartByDay, figureReport } from '../internal/build-report-of-daily-figures.ts'
import { linesTable } from '../internal/figure-table.ts'

const charges = ['rent_charged', 'discounts_given', 'insurance_charged', 'fees_charged', 'tax_charged'] as const
const flows = [...charges, 'payments', 'refunds', 'reversals', 'credits_given'] as const
const sumOf = <K extends string>(sums: Record<K, number>, keys: readonly K[]) =>
  keys.reduce((all, key) => all + sums[key], 0)

export const receivables = figureReport({
  title: 'Receivables roll',
  about: 'What was owed, what came and went, and what is owed now.',
  period: 'span',
  group: 'Money',
  reads: [...flows, 'balances'],
  missed: true,
  columns: [
    { key: 'charges', label: 'Charges', as: 'cents', cell: (_, flow) => sumOf(flow, charges) },
    { key: 'payments', label: 'Payments', as: 'cents', cell: (_, flow) => flow.payments },
    {
      key: 'back',
      label: 'Refunds and returns',
      as: 'cents',
      wide: true,
      cell: (_, flow) => flow.refunds + flow.reversals,
    },
    { key: 'credits', label: 'Credits', as: 'cents', wide: true, cell: (_, flow) => flow.credits_given },
    { key: 'owed', label: 'Owed', as: 'cents', cell: (state) => state.balances },
  ],
  totals: 'always',
  buildParts({ read, flow, state }) {
    // Balance before the first known day of the span.
    const opening = read.ends.first.balances - sumOf(read.ends.first, flows)
    const closing = state.balances
    const lines: [string, Cents][] = [
      ['Owed at the beginning', opening],
      ['Rent', flow.rent_charged],
      ['Discounts', flow.discounts_given],
      ['Insurance', flow.insurance_charged],
      ['Fees', flow.fees_charged],
      ['Tax', flow.tax_charged],
      ['Payments', flow.payments],
      ['Refunds', flow.refunds],
      ['Payments taken back', flow.reversals],
      ['Credits', flow.credits_given],
      ['Owed at the end', closing],
    ]
    return {
      figures: [
        { label: 'Owed at the end', value: closing, as: 'cents' },
        { label: 'Owed at the beginning', value: opening, as: 'cents' },
        { label: 'Charged', value: sumOf(flow, charges), as: 'cents' },
        // `0 -` instead of a minus sign, which would turn 0 into −0.
        { label: 'Paid', value: 0 - flow.payments, as: 'cents' },
      ],
      check: {
        statement: 'What was owed at the beginning and all that was posted since come to the balances of the leases',
        difference: opening + sumOf(flow, flows) - closing,
      },
      chart: {
        label: 'Owed by day',
        as: 'cents',
        lines: [{ label: 'Owed', values: chartByDay(read, (sums) => sums.balances) }],
      },
      above: [linesTable('The roll', lines)],
    }
  },
})
