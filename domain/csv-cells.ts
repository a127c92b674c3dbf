/** Cells of CSV files. A spreadsheet executes text that looks like a formula, which a visitor may enter as a name. */

const isNumber = /^-?\d+(\.\d+)?$/
/**
 * Matches a text that a spreadsheet may run as a formula. Full-width signs count, since some spreadsheets read them as
 * plain ones. So do formulas behind apostrophes, so that `unescapeFormula` removes only an apostrophe that was added.
 */
const isFormula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Escapes a text for a cell: puts an apostrophe before a formula. Numbers stay numbers. */
export const escapeFormula = (text: string): string =>
  isFormula.test(text) && !isNumber.test(text) ? `'${text}` : text

/** Returns the text that `escapeFormula` escaped. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && isFormula.test(cell) ? cell.slice(1) : cell

/**
 * Quotes a cell for a line of a CSV file.
 * @param cell result of `escapeFormula`
 */
export const quoteCsvCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Returns a line of a CSV file, with formulas escaped. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteCsvCell(escapeFormula(cell))).join(',')}\r\n`
