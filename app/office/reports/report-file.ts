import { escapeFormula, quoteCsvCell } from '../../../domain/spreadsheet.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { ExportReport } from '../../../modules/reports/operations/export-report.ts'
import type { ExportedReport } from '../../../modules/reports/report-input.ts'
import { type CellKind, cellOfFile, type ReportCell } from '../../../modules/reports/rules/report-format.ts'
import { csvResponse } from '../../request/csv-response.ts'
import { callForForm, hasPermission } from '../open-office-page.ts'
import { streamOf } from '../stream-download.ts'
import type { Route } from './+types/report-file'
import { openReport } from './open-report.ts'

/** Streams a report's rows as CSV while they are read. */
export async function loader(args: Route.LoaderArgs) {
  const { page, name, input } = await openReport(args, args.params.name ?? '')
  if (!hasPermission(page.staff, 'report.export')) throw new Response(officeNotFound, { status: 404 })
  // A file response shows nothing, so the second factor leads back to the report's page with its button.
  const url = new URL(page.url)
  url.pathname = `/office/reports/${name}`
  const exported = await callForForm({ ...page, url }, ExportReport, input)
  if (!exported.ok) return new Response(exported.message, { status: exported.status })
  const { fileName, by } = exported.value
  // The file's name includes the staff member's, so that it goes wherever the file is sent.
  const whose = by.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return csvResponse(streamOf(linesOf(exported.value)), `${fileName}-by-${whose}`)
}

/** Number of rows that an exported report writes at a time; small, so that page requests need not wait. */
const ROWS = 100

const line = (cells: string[]) => `${cells.join(',')}\r\n`
const textCell = (text: string) => quoteCsvCell(escapeFormula(text))

async function* linesOf({ columns, rows, by }: ExportedReport): AsyncGenerator<string> {
  yield line([...columns.map(({ label }) => textCell(label)), 'Exported by'])
  const whose = textCell(by)
  const cell = (value: ReportCell | undefined, as: CellKind) =>
    typeof value === 'string' ? textCell(value) : cellOfFile(value, as)
  for await (const some of rows)
    for (let from = 0; from < some.length; from += ROWS)
      yield some
        .slice(from, from + ROWS)
        .map((row) => line([...columns.map(({ key, as }) => cell(row[key], as)), whose]))
        .join('')
}
