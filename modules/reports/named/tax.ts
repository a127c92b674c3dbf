import { sql } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import { figureReport } from '../internal/figure-report.ts'
import { type DayInProgress, parseSums, type ReportQuery, snapshotRows } from '../report-figures.ts'
import type { ReportRow } from '../rules/report-format.ts'

const taxed = ['rent', 'insurance', 'fee'] as const
const taxedNames = { rent: 'Rent after discount', insurance: 'Insurance', fee: 'Fees' } as const

export const tax = figureReport({
  title: 'Sales tax',
  about: 'Tax charged by rate and what was taxed, net of what was waived.',
  of: 'span',
  group: 'Money',
  reads: ['credit_tax', 'tax_charged', 'rent_base', 'insurance_base', 'fee_base', 'exempt'],
  columns: [
    { key: 'base', label: 'Taxable', as: 'cents', cell: (_, one) => one.rent_base + one.insurance_base + one.fee_base },
    { key: 'exempt', label: 'Exempt', as: 'cents', cell: (_, one) => one.exempt },
    { key: 'tax', label: 'Tax', as: 'cents', cell: (_, one) => one.tax_charged },
  ],
  totals: 'always',
  async tell({ services, asked, read, flow }) {
    const rates = await taxByRate(services, asked, read)
    const base = taxed.reduce((sum, of) => sum + flow[`${of}_base`], 0)
    return {
      figures: [
        { label: 'Tax', value: flow.tax_charged, as: 'cents', beside: 'net of what was waived and credited' },
        { label: 'Taxable', value: base, as: 'cents' },
        { label: 'Exempt', value: flow.exempt, as: 'cents', beside: 'charged without tax' },
      ],
      above: [
        {
          title: 'By rate',
          columns: [
            { key: 'what', label: 'What', as: 'text' },
            { key: 'rate', label: 'Rate', as: 'rate' },
            { key: 'base', label: 'Taxable', as: 'cents' },
            { key: 'tax', label: 'Tax', as: 'cents' },
          ],
          rows: [
            ...rates,
            { what: 'Taken back with credits', rate: null, base: null, tax: flow.credit_tax },
            { what: 'Exempt', rate: null, base: flow.exempt, tax: 0 },
          ],
          totals: { what: 'Together', rate: null, base: base + flow.exempt, tax: flow.tax_charged },
          empty: '',
        },
      ],
    }
  },
})

/**
 * Returns for each kind of tax the rates that applied in the report's span, with the sums at each. Each day counts at
 * its own rate.
 */
async function taxByRate(
  services: Services,
  asked: ReportQuery,
  { live }: { live: readonly DayInProgress[] },
): Promise<ReportRow[]> {
  const all = [...(await ratesOf(services, asked)), ...live.map(({ figures }) => figures)]
  return taxed.flatMap((of) =>
    [...Map.groupBy(all, (row) => row[`${of}_rate`])]
      .sort(([a], [b]) => a - b)
      .map(([rate, own]) => ({
        what: taxedNames[of],
        rate,
        base: own.reduce((sum, row) => sum + row[`${of}_base`], 0),
        tax: own.reduce((sum, row) => sum + row[`${of}_tax`], 0),
      }))
      .filter(({ base, tax: cents }) => base !== 0 || cents !== 0),
  )
}

/** Loads the taxed amounts and taxes of a span, from the daily snapshots, summed by the tax rates that applied. */
async function ratesOf(services: Pick<Services, 'db'>, asked: ReportQuery) {
  const sums = ['rent_base', 'insurance_base', 'fee_base', 'rent_tax', 'insurance_tax', 'fee_tax'] as const
  const rows = await snapshotRows(services.db.read, asked)
    .select(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .select(sums.map((one) => sql<number>`sum(${sql.ref(`d.${one}`)})`.as(one)))
    .groupBy(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .execute()
  return rows.map((row) => ({ ...row, ...parseSums(row, sums) }))
}
