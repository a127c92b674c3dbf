/** Cells of CSV files. A spreadsheet runs a text that looks like a formula, and a visitor's name may be one. */

const isNumber = /^-?\d+(\.\d+)?$/
/** Full-width signs count too: some spreadsheets read them as the plain ones. */
const isFormula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A text as a cell: an apostrophe before a formula; numbers stay numbers. */
export const cellOf = (text: string): string => (isFormula.test(text) && !isNumber.test(text) ? `'${text}` : text)

/** The text that `cellOf` put into a cell. */
export const textOfCell = (cell: string): string =>
  cell.startsWith("'") && isFormula.test(cell) ? cell.slice(1) : cell

/** A cell in a line of a CSV file. @param cell as `cellOf` gives it */
export const csvCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
