import { isUtf8 } from 'node:buffer'

/**
 * Thrown when a file cannot be read further. `line` is its line, or the number of a JSON file's entry, from 1; 0 for text
 * behind an empty JSON array.
 */
export class Unreadable extends Error {
  readonly line: number
  constructor(says: string, line: number) {
    super(says)
    this.line = line
  }
}

/** Thrown when a file is no UTF-8 text. Here `line` is a line of text in JSON files too. */
export class InvalidUtf8 extends Unreadable {}

const remedy = 'save it as "CSV UTF-8" and import again'

/** First bytes of files that are not text in UTF-8, each with the sentence about what to do. */
const otherKinds: { begin: number[]; says: string }[] = [
  { begin: [0xff, 0xfe], says: `is UTF-16 text; ${remedy}` },
  { begin: [0xfe, 0xff], says: `is UTF-16 text; ${remedy}` },
  { begin: [0x50, 0x4b, 0x03, 0x04], says: `is a workbook or an archive, not text; open it and ${remedy}` },
  { begin: [0xd0, 0xcf, 0x11, 0xe0], says: `is an old workbook, not text; open it and ${remedy}` },
  { begin: [0x1f, 0x8b], says: 'is compressed; unpack it and import again' },
]

const longestBegin = Math.max(...otherKinds.map(({ begin }) => begin.length))

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Yields the positions of line ends: of each LF, and of each CR that no LF follows. */
function* lineEnds(bytes: Buffer): Generator<number> {
  let feed = bytes.indexOf(lineFeed)
  let back = bytes.indexOf(carriageReturn)
  while (feed !== -1 || back !== -1) {
    if (back !== -1 && (feed === -1 || back < feed)) {
      if (back + 1 !== feed) yield back
      back = bytes.indexOf(carriageReturn, back + 1)
    } else {
      yield feed
      feed = bytes.indexOf(lineFeed, feed + 1)
    }
  }
}

function countLineEnds(bytes: Buffer): number {
  let count = 0
  for (const _ of lineEnds(bytes)) count += 1
  return count
}

/** Returns the length of a UTF-8 sequence. @param first first byte of a multi-byte sequence */
const sequenceLength = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2)

/** Returns how many bytes at the end belong to an incomplete UTF-8 sequence, or to a line end whose LF may follow. */
function incompleteLength(bytes: Buffer): number {
  if (bytes.at(-1) === carriageReturn) return 1
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes.readUInt8(bytes.length - back)
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** Returns whether bytes look like UTF-16 without a byte order mark: more than a quarter of the first 200 are zero. */
function hasUtf16Zeros(bytes: Buffer): boolean {
  const near = bytes.subarray(0, 200)
  return near.filter((byte) => byte === 0).length > near.length / 4
}

/** Explains why bytes are no UTF-8 text. @param line line on which the bytes begin */
function explainInvalidText(bytes: Buffer, line: number): InvalidUtf8 {
  let from = 0
  for (const end of [...lineEnds(bytes), bytes.length]) {
    const part = bytes.subarray(from, end)
    const zero = part.indexOf(0)
    if (zero !== -1) {
      const damaged = `has a zero byte, which no text has, as its ${zero + 1}. byte; was the file damaged on its way? Export it again`
      return new InvalidUtf8(hasUtf16Zeros(bytes) ? `looks like UTF-16 text; ${remedy}` : damaged, line)
    }
    if (!isUtf8(part)) {
      const text = new TextDecoder('windows-1252').decode(part)
      const at = Math.max(0, text.search(/[^\x20-\x7e]/) - 20)
      return new InvalidUtf8(
        `is not UTF-8 text; by its looks it holds '${text.slice(at, at + 40).trim()}'; ${remedy}`,
        line,
      )
    }
    line += 1
    from = end + 1
  }
  return new InvalidUtf8(`is not UTF-8 text; ${remedy}`, line)
}

/** Removes a byte order mark. @throws InvalidUtf8 for another file type */
function removeMark(bytes: Buffer): Buffer {
  for (const { begin, says } of otherKinds)
    if (begin.every((byte, index) => bytes[index] === byte)) throw new InvalidUtf8(says, 1)
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/**
 * Decodes UTF-8 with or without a byte order mark. Never guesses another encoding, which could silently spoil names.
 * @throws InvalidUtf8
 */
export async function* decodeUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let line = 1
  let first = true
  let pending: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    let bytes = pending.length > 0 ? Buffer.concat([pending, piece]) : piece
    if (first && bytes.length < longestBegin) {
      pending = bytes
      continue
    }
    if (first) bytes = removeMark(bytes)
    first = false
    const whole = bytes.subarray(0, bytes.length - incompleteLength(bytes))
    pending = Buffer.from(bytes.subarray(whole.length))
    if (whole.includes(0) || !isUtf8(whole)) throw explainInvalidText(whole, line)
    yield decoder.decode(whole)
    line += countLineEnds(whole)
  }
  if (first) pending = removeMark(pending)
  // Pending is the last CR, the part of a letter that was cut off, or a file shorter than the longest beginning in `otherKinds`.
  if (isUtf8(pending)) yield decoder.decode(pending)
  else throw new InvalidUtf8('ends in the middle of a letter; was it cut off? Export it again', line)
}
