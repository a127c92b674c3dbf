import { escapeFormula, quoteCsvCell } from '../../../domain/csv-cells.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { ExportReport } from '../../../modules/reports/operations/export-report.ts'
import {
  type CellKind,
  cellOfFile,
  type ExportedReport,
  type ReportCell,
} from '../../../modules/reports/rules/report-format.ts'
import { csvResponse } from '../../request/csv-response.ts'
import { callForForm, hasPermission } from '../open-office-page.ts'
import { streamOf } from '../throttled-download-stream.ts'
import type { Route } from './+types/report-file'
import { openReport } from './open-report.ts'

/** Streams a report's file as CSV. The rows of a list report are read while the file is sent. */
export async function loader(args: Route.LoaderArgs) {
  const { page, report, input } = await openReport(args, args.params.name ?? '')
  if (!hasPermission(page.staff, 'report.export')) throw new Response(officeNotFound, { status: 404 })
  // A download shows no page, so the second factor leads back to the report's page, which has the button.
  const url = new URL(page.url)
  url.pathname = `/office/reports/${report.name}`
  const outcome = await callForForm({ ...page, url }, ExportReport, input)
  if (!outcome.ok) return new Response(outcome.message, { status: outcome.status })
  const { fileName, by } = outcome.value
  // The file's name includes the staff member's name, which thus goes wherever the file is sent.
  const fileOwner = by.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return csvResponse(streamOf(linesOf(outcome.value)), `${fileName}-by-${fileOwner}`)
}

/** Number of rows per piece of an exported report; small, so that page requests need not wait. */
const ROWS_PER_PIECE = 100

const line = (cells: string[]) => `${cells.join(',')}\r\n`
const textCell = (text: string) => quoteCsvCell(escapeFormula(text))

async function* linesOf({ columns, rows, by }: ExportedReport): AsyncGenerator<string> {
  yield line([...columns.map(({ label }) => textCell(label)), 'Exported by'])
  const exportedBy = textCell(by)
  const cell = (value: ReportCell | undefined, as: CellKind) =>
    typeof value === 'string' ? textCell(value) : cellOfFile(value, as)
  for await (const batch of rows)
    for (let from = 0; from < batch.length; from += ROWS_PER_PIECE)
      yield batch
        .slice(from, from + ROWS_PER_PIECE)
        .map((row) => line([...columns.map(({ key, as }) => cell(row[key], as)), exportedBy]))
        .join('')
}
