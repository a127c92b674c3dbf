import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ArchivedFile {
  name: string
  /** Set for formats that are compressed already, such as PDF; these files are stored without compression. */
  packed?: true
  content: AsyncIterable<Uint8Array>
}

const nothing = new Uint8Array()

/** Yields a ZIP file in pieces, with at most one piece of one file in memory. */
export async function* zipFiles(files: AsyncIterable<ArchivedFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    ready.push(piece)
  })
  for await (const { name, packed, content } of files) {
    const file = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    zip.add(file)
    for await (const piece of content) {
      file.push(piece)
      yield* ready.splice(0)
    }
    file.push(nothing, true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}
