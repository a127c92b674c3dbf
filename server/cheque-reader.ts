/**
 * The text recognition of the cheque scanner, from our own origin: its worker, its core for whichever processor, and the
 * language data, as they lie in the packages. About 7 MB, fetched by nobody but who opens the scanner.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const files: Readonly<Record<string, string>> = {
  'worker.min.js': 'tesseract.js/dist/worker.min.js',
  'tesseract-core-lstm.wasm.js': 'tesseract.js-core/tesseract-core-lstm.wasm.js',
  'tesseract-core-simd-lstm.wasm.js': 'tesseract.js-core/tesseract-core-simd-lstm.wasm.js',
  'tesseract-core-relaxedsimd-lstm.wasm.js': 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm.js',
  'eng.traineddata.gz': '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
}

const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

async function read(name: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const content = await readFile(createRequire(import.meta.url).resolve(path))
  return new Uint8Array(name.endsWith('.js') ? await promisify(gzip)(content) : content)
}

/**
 * @param name the last part of the address below /cheque-reader
 * @returns null where it is none of the recognition's files
 */
export async function chequeReaderFile(
  name: string,
): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } | null> {
  const path = Object.hasOwn(files, name) ? files[name] : undefined
  if (path === undefined) return null
  const body = compressed.get(name) ?? read(name, path)
  compressed.set(name, body)
  // One that could not be read is tried again.
  body.catch(() => compressed.delete(name))
  const script = name.endsWith('.js')
  return {
    body: await body,
    headers: {
      'Content-Type': script ? 'text/javascript; charset=utf-8' : 'application/gzip',
      ...(script && { 'Content-Encoding': 'gzip' }),
      'Cache-Control': 'public, max-age=604800',
      // A worker lives under its own file's policy: it compiles its core and talks to us alone.
      'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    },
  }
}
