/** Parses lists of new rents in CSV format, and names the columns of the list to download. */
import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../../../domain/csv-cells.ts'
import type { Cents } from '../../../domain/money.ts'
import { RENT_BATCH_MAX, type WantedRent } from '../../../modules/rent-changes/rules/rent-change.ts'
import { parseDollars } from '../parse-dollars.ts'

/** Columns of the downloaded list of leases and rents, in which staff members enter new rents for an upload. */
export const downloadedColumns = [
  'facility',
  'lease',
  'unit',
  'size',
  'moved_in',
  'last_change',
  'street_rate',
  'rent',
  'new_rent',
] as const

/** Columns of the downloaded rent list that are read when the list is uploaded. */
type RentColumn = Extract<(typeof downloadedColumns)[number], 'facility' | 'lease' | 'unit' | 'rent' | 'new_rent'>

/** Column names of an uploaded list, in lower case with underscores, mapped to the columns that are read. */
const columnAliases: Record<string, RentColumn> = {
  facility: 'facility',
  location: 'facility',
  location_code: 'facility',
  lease: 'lease',
  lease_number: 'lease',
  unit: 'unit',
  unit_number: 'unit',
  rent: 'rent',
  old_rent: 'rent',
  rent_now: 'rent',
  new_rent: 'new_rent',
}

type RentListRead = { ok: true; rents: WantedRent[] } | { ok: false; message: string }

const refuse = (message: string): RentListRead => ({ ok: false, message })

/** Parses a list with a header line. Lines without a new rent are left out. */
export function readRentList(text: string): RentListRead {
  let lines: string[][]
  try {
    lines = parse(text.replace(/^\ufeff/, ''), {
      relax_column_count: true,
      trim: true,
    })
  } catch {
    return refuse('This is no list: a quote is opened and never closed, or stands in a place where it may not.')
  }
  // Empty lines are counted, so that a refusal names the row that a spreadsheet shows.
  const headerIndex = lines.findIndex((cells) => cells.some((cell) => cell !== ''))
  const columns = (lines[headerIndex] ?? []).map((name) => columnAliases[name.toLowerCase().replace(/[ -]+/g, '_')])
  const columnIndex = (name: RentColumn) => columns.indexOf(name)
  if (
    columnIndex('facility') < 0 ||
    columnIndex('new_rent') < 0 ||
    (columnIndex('lease') < 0 && columnIndex('unit') < 0)
  )
    return refuse('The first line names the columns: facility, lease or unit, new_rent. A column rent is compared.')
  const rents: WantedRent[] = []
  for (const [index, cells] of lines.entries()) {
    if (index <= headerIndex) continue
    const cell = (name: RentColumn) => unescapeFormula(cells[columnIndex(name)] ?? '')
    if (cell('new_rent') === '') continue
    const rent = readLine(cell)
    if (typeof rent === 'string') return refuse(`Line ${index + 1}: ${rent}`)
    rents.push(rent)
  }
  if (rents.length > RENT_BATCH_MAX) return refuse(`At most ${RENT_BATCH_MAX} lines at once.`)
  return rents.length === 0 ? refuse('No line has a new rent.') : { ok: true, rents }
}

/**
 * Reads one line of an uploaded list of new rents.
 * @returns the requested rent, or a sentence about what is wrong with the line
 */
function readLine(cell: (name: RentColumn) => string): WantedRent | string {
  const newRent = parseDollars(cell('new_rent'))
  const before = cell('rent') === '' ? null : parseDollars(cell('rent'))
  const lease = cell('lease')
  const message = lineFault({ newRent, before, lease, facility: cell('facility'), unit: cell('unit') })
  if (message) return message
  return {
    location_code: cell('facility'),
    lease_number: lease === '' ? null : Number(lease),
    unit_number: cell('unit'),
    new_rent: newRent,
    rent_before: before,
  }
}

function lineFault(line: {
  newRent: Cents
  before: Cents | null
  lease: string
  facility: string
  unit: string
}): string {
  if (line.facility === '') return 'the facility is missing.'
  if (line.lease === '' && line.unit === '') return 'neither a lease nor a unit is named.'
  if (line.lease !== '' && !/^\d{1,15}$/.test(line.lease)) return 'a lease is named by its number.'
  if (!(line.newRent > 0)) return 'the new rent is no amount.'
  return line.before !== null && Number.isNaN(line.before) ? 'the rent of now is no amount.' : ''
}
