/** Formats the report of an import or dry run for the terminal. */
import { format } from '../../domain/money.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import type { BusinessTotals, Change } from './count-changes-to-existing-records.ts'
import { type ImportReport, sentenceOf } from './import-business.ts'

const figureNames: Record<keyof BusinessTotals, string> = {
  facilities: 'facilities',
  units: 'units',
  rented_units: 'units rented',
  tenants: 'tenants',
  open_leases: 'open leases',
  gate_codes: 'gate codes',
  rent_cents: 'rent of open leases, each 30 days',
  owed_cents: 'owed on open leases',
  credit_cents: 'credit on open leases',
}

export function reportLines(report: ImportReport): string[] {
  const { counts, changes, notApplied, notAppliedTotal, unclear } = report
  const lines = counts.map(({ file, rows, written }) => `${file.padEnd(18)} ${rows} rows, ${written} new or changed`)
  if (changes.length > 0) lines.push('Changed in rows that were there:', ...changes.map(changeLine))
  if (notAppliedTotal > 0) {
    lines.push(`Not applied, ${notAppliedTotal}: change these in the office, or correct the files.`)
    lines.push(...notApplied.map((problem) => `  ${sentenceOf(problem)}`))
    if (notAppliedTotal > notApplied.length) lines.push(`  … and ${notAppliedTotal - notApplied.length} more`)
  }
  lines.push(...figureLines(report))
  if (unclear > 0) {
    const subject = unclear === 1 ? '1 lease was' : `${unclear} leases were`
    lines.push(
      `${subject} paid through a day that is past and ${unclear === 1 ? 'brings' : 'bring'} a balance without a period. Billing charges the periods that have begun since then on top of it: where the balance contains them already, name them with period_start, a row each.`,
    )
  }
  return lines
}

function changeLine({ file, column, rows, blanked, examples }: Change): string {
  const blank = blanked === 0 ? '' : `, ${blanked} of them to blank`
  const exampleText = examples.length === 0 ? '' : ` (${examples.join('; ')}${rows > examples.length ? '; …' : ''})`
  return `  ${file}, ${column}: ${rows}${blank}${exampleText}`
}

function figureLines({ before, after }: ImportReport): string[] {
  const formatFigure = (totals: BusinessTotals, name: keyof BusinessTotals) =>
    (name.endsWith('_cents') ? format(totals[name]) : String(totals[name])).padStart(18)
  return [
    `${''.padEnd(34)}${'before'.padStart(18)}${'after'.padStart(18)}`,
    ...keysOf(figureNames).map(
      (name) => `${figureNames[name].padEnd(34)}${formatFigure(before, name)}${formatFigure(after, name)}`,
    ),
  ]
}
