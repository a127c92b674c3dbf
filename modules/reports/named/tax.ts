import { sql } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import { figureReport } from '../internal/build-report-of-daily-figures.ts'
import { type DayInProgress, parseSums, type ReportQuery, snapshotRows } from '../internal/read-snapshot-figures.ts'
import type { ReportRow } from '../rules/report-format.ts'

const taxedKinds = ['rent', 'insurance', 'fee'] as const
const taxedNames = { rent: 'Rent after discount', insurance: 'Insurance', fee: 'Fees' } as const

export const tax = figureReport({
  title: 'Sales tax',
  about: 'Tax charged by rate and what was taxed, net of what was waived.',
  period: 'span',
  group: 'Money',
  reads: ['credit_tax', 'tax_charged', 'rent_base', 'insurance_base', 'fee_base', 'exempt'],
  missed: true,
  columns: [
    {
      key: 'base',
      label: 'Taxable',
      as: 'cents',
      cell: (_, flow) => flow.rent_base + flow.insurance_base + flow.fee_base,
    },
    { key: 'exempt', label: 'Exempt', as: 'cents', cell: (_, flow) => flow.exempt },
    { key: 'tax', label: 'Tax', as: 'cents', cell: (_, flow) => flow.tax_charged },
  ],
  totals: 'always',
  async buildParts({ services, query, read, flow }) {
    const rates = await loadTaxByRate(services, query, read)
    const base = taxedKinds.reduce((sum, kind) => sum + flow[`${kind}_base`], 0)
    return {
      figures: [
        { label: 'Tax', value: flow.tax_charged, as: 'cents', explanation: 'net of what was waived and credited' },
        { label: 'Taxable', value: base, as: 'cents' },
        { label: 'Exempt', value: flow.exempt, as: 'cents', explanation: 'charged without tax' },
      ],
      above: [
        {
          title: 'By rate',
          isFile: true,
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
 * Returns for each taxed kind of charge the rates that applied in the report's span, with the sums at each. Each day
 * counts at its own rate.
 */
async function loadTaxByRate(
  services: Services,
  query: ReportQuery,
  { live }: { live: readonly DayInProgress[] },
): Promise<ReportRow[]> {
  const all = [...(await loadSumsByRate(services, query)), ...live.map(({ figures }) => figures)]
  return taxedKinds.flatMap((kind) =>
    [...Map.groupBy(all, (row) => row[`${kind}_rate`])]
      .sort(([a], [b]) => a - b)
      .map(([rate, sameRate]) => ({
        what: taxedNames[kind],
        rate,
        base: sameRate.reduce((sum, row) => sum + row[`${kind}_base`], 0),
        tax: sameRate.reduce((sum, row) => sum + row[`${kind}_tax`], 0),
      }))
      .filter(({ base, tax: cents }) => base !== 0 || cents !== 0),
  )
}

/** Loads the taxed amounts and taxes of a span, from the daily snapshots, summed by the tax rates that applied. */
async function loadSumsByRate(services: Pick<Services, 'db'>, query: ReportQuery) {
  const sums = ['rent_base', 'insurance_base', 'fee_base', 'rent_tax', 'insurance_tax', 'fee_tax'] as const
  const rows = await snapshotRows(services.db.read, query)
    .select(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .select(sums.map((figure) => sql<number>`sum(${sql.ref(`d.${figure}`)})`.as(figure)))
    .groupBy(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .execute()
  return rows.map((row) => ({ ...row, ...parseSums(row, sums) }))
}
