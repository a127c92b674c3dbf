import { errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { decodeUtf8, Unreadable } from './decode-utf8-strictly.ts'

/**
 * Maximum length of one entry of a JSON import file, in characters. A longer entry is refused, since it probably has an
 * unclosed quote or bracket.
 */
const MAX_ENTRY_LENGTH = 1_000_000

/** Text of one entry of a JSON array, and the line of the file on which it begins (from 1). */
interface EntryText {
  text: string
  line: number
}

/**
 * Creates the error for an entry of an import file that is not valid JSON.
 * @param entry number of the entry, from 1; 0 for text behind an empty array
 * @param line line of the file on which the error is
 */
const notJson = (entry: number, line: number, says: string) =>
  new Unreadable(`is not JSON (line ${line} of the file): ${says}`, entry)

/**
 * Incremental parser that splits the text of a JSON array into its entries, so that a large file is never in memory as
 * a whole.
 */
class EntrySplitter {
  /** Between two pieces: the text of the current entry so far; '' if none has begun. */
  #rest = ''
  #at = 0
  #depth = 0
  /** Start of the current entry in `#rest`; -1 for none. */
  #begin = -1
  #string: 'outside' | 'inside' | 'escaped' = 'outside'
  #ended = false
  #line = 1
  #beganOn = 1
  #count = 0

  take(text: string): EntryText[] {
    this.#rest += text
    const entries: EntryText[] = []
    for (; this.#at < this.#rest.length; this.#at += 1) {
      const sign = this.#rest.charAt(this.#at)
      if (sign === '\n') this.#line += 1
      if (this.#consumeInString(sign) || sign.trim() === '') continue
      const isEnd = this.#consumeOutsideString(sign)
      if (isEnd && this.#begin !== -1) {
        entries.push({ text: this.#rest.slice(this.#begin, this.#at), line: this.#beganOn })
        this.#count += 1
      }
      if (isEnd) this.#begin = -1
    }
    this.#rest = this.#begin === -1 ? '' : this.#rest.slice(this.#begin)
    this.#at = this.#rest.length
    if (this.#begin !== -1) this.#begin = 0
    if (this.#rest.length > MAX_ENTRY_LENGTH)
      throw notJson(this.#count + 1, this.#beganOn, 'an entry has no end; is a quote or a bracket missing?')
    return entries
  }

  end(): void {
    if (this.#ended) return
    const says = 'it ends too early; is a quote or a bracket missing, or was it cut off?'
    throw notJson(this.#count + 1, this.#line, says)
  }

  #consumeInString(sign: string): boolean {
    if (this.#string === 'outside') return false
    if (this.#string === 'escaped') this.#string = 'inside'
    else if (sign === '\\') this.#string = 'escaped'
    else if (sign === '"') this.#string = 'outside'
    return true
  }

  /** Processes a character outside of strings. @returns whether an entry, if one has begun, ends before it */
  #consumeOutsideString(sign: string): boolean {
    if (this.#ended) throw notJson(this.#count, this.#line, `behind the end of the array there is ${sign}; remove it`)
    if (this.#depth === 0 && sign !== '[')
      throw new Unreadable('should be an array of objects: [{"column": "value"}, …]', 1)
    if (this.#depth === 1 && this.#begin === -1 && sign !== ',' && sign !== ']') {
      this.#begin = this.#at
      this.#beganOn = this.#line
    }
    if (sign === '"') this.#string = 'inside'
    else if (sign === '[' || sign === '{') this.#depth += 1
    else if (sign === ']' || sign === '}') this.#depth -= 1
    this.#ended = this.#depth === 0
    return this.#ended || (this.#depth === 1 && sign === ',')
  }
}

/** Yields the entries of a JSON array in batches. @throws Unreadable */
export async function* jsonEntries(pieces: AsyncIterable<Buffer>): AsyncGenerator<unknown[]> {
  const splitter = new EntrySplitter()
  let number = 0
  for await (const text of decodeUtf8(pieces)) {
    yield splitter.take(text).map((entry) => {
      number += 1
      return parseEntry(entry, number)
    })
  }
  splitter.end()
}

function parseEntry({ text, line }: EntryText, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = errorMessage(error)
    // Not all messages contain the position, which is relative to the entry.
    const before = text.slice(0, Number(/ at position (\d+)/.exec(message)?.[1] ?? 0))
    const says = message.replace(/ in JSON at position .*| is not valid JSON$/s, '')
    throw notJson(number, line + before.split('\n').length - 1, `${says}; mend the entry, or export the file again`)
  }
}
