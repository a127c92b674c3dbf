/**
 * Rows that are kept in memory for long, in about an eighth of the room that as many objects take: their numbers in one
 * typed array, each column of texts in one text. Taking them apart again costs some hundredths of a millisecond for 600
 * rows, and the collector of garbage has a few objects to look at instead of thousands.
 */
export class PackedRows {
  /** Row by row, as many of each row as it has numbers. */
  readonly numbers: Int32Array | Float64Array
  readonly #texts: string[]

  /** @param rows the numbers and the texts of each; every row has as many of them */
  constructor(rows: readonly { numbers: readonly number[]; texts: readonly string[] }[]) {
    const numbers = rows.flatMap((row) => row.numbers)
    // A coordinate may have a fraction; where none has, half the room will do.
    const whole = numbers.every((value) => (value | 0) === value)
    this.numbers = whole ? Int32Array.from(numbers) : Float64Array.from(numbers)
    this.#texts = (rows[0]?.texts ?? []).map((_, column) => JSON.stringify(rows.map((row) => row.texts[column])))
  }

  /** A text of each row, in the rows' order. @param column from 0 */
  texts(column: number): string[] {
    return JSON.parse(this.#texts[column] ?? '[]') as string[]
  }

  /** What they take in memory, about. */
  get bytes(): number {
    // Some texts have letters of two bytes; and the objects themselves are there too.
    return 400 + this.numbers.byteLength + this.#texts.reduce((sum, text) => sum + 2 * text.length, 0)
  }
}
