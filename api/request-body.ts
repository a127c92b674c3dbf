/** Reads request bodies within limits of bytes, fields, parts and chunks. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { UPLOAD_MAX_BYTES } from '../domain/upload-size-and-file-types.ts'

/** Limits of request bodies, in bytes where nothing else is stated. */
export const bodyLimits = {
  form: 64 * 1024,
  /** Limit for a call with a file in base64, or a form with a drawn signature. */
  document: 1024 * 1024,
  /** Limit for 500 events of a gate. */
  gateEvents: 256 * 1024,
  multipart: UPLOAD_MAX_BYTES + 64 * 1024,
  /** Limit for a form with several photographs. */
  photographs: 3 * UPLOAD_MAX_BYTES + 64 * 1024,
  /** Number of fields of a form. */
  fields: 250,
  /** Number of comma-separated values in a call's JSON, counted by its commas. */
  values: 1000,
  /** Number of comma-separated values in the JSON of 500 events of a gate. */
  gateEventValues: 5000,
  /** Number of chunks of a body without a length, since even a tiny chunk costs work. */
  chunks: 4096,
} as const

export type BodyFault = 'too_large' | 'too_many_fields' | 'broken'

export type BodyRead<Content> = ({ ok: true } & Content) | { ok: false; fault: BodyFault }

/**
 * Returns an iterator of a request body that does not cancel the body when the loop ends early, since that would close
 * the connection before the response is sent.
 */
const chunksOf = (body: ReadableStream<Uint8Array>) => body.values({ preventCancel: true })

/**
 * Reads a body into memory; empty if there is none. A body without a length is read only up to the first chunk beyond
 * `limit` bytes or `bodyLimits.chunks` chunks.
 */
export async function readBytes(
  request: Request,
  limit: number,
): Promise<BodyRead<{ bytes: Uint8Array<ArrayBuffer> }>> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) return { ok: false, fault: 'too_large' }
  try {
    if (declared > 0) {
      // Node's parser reads no further than the announced length, which is within the limit.
      const bytes = new Uint8Array(await request.arrayBuffer())
      return bytes.byteLength > limit ? { ok: false, fault: 'too_large' } : { ok: true, bytes }
    }
    if (!request.body) return { ok: true, bytes: new Uint8Array() }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of chunksOf(request.body)) {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size > limit || chunks.length > bodyLimits.chunks) return { ok: false, fault: 'too_large' }
    }
    return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks)) }
  } catch {
    return { ok: false, fault: 'broken' }
  }
}

/** Returns whether a URL-encoded form has more fields than are accepted. Checked before parsing. */
export function hasTooManyFields(form: Uint8Array): boolean {
  let fields = 1
  for (let at = form.indexOf(38 /* & */); at !== -1; at = form.indexOf(38, at + 1)) {
    fields += 1
    if (fields > bodyLimits.fields) return true
  }
  return false
}

export const isMultipart = (contentType: string | null | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '')

/** Content of a multipart form: its fields, and its files as bytes. */
export interface MultipartForm {
  fields: [name: string, value: string][]
  /** Files in the order of the form. */
  files: { name: string; bytes: Uint8Array<ArrayBuffer> }[]
}

/** Number of bytes that each write passes to the form parser, small so that parsing stops soon after a limit. */
const bytesPerWrite = 2 * 1024
/** Interval, in bytes of a chunk, at which `feed` lets other work run; the first time is after the chunk's first write. */
const bytesBetweenYields = 64 * 1024

/**
 * Writes a body to a parser as the body arrives. The rest of a refused body is read up to the limit and dropped, so
 * that the connection can be reused.
 * @returns false if the body is longer than the limit
 */
async function feed(
  parser: InstanceType<typeof Busboy>,
  body: ReadableStream<Uint8Array>,
  limit: number,
  isRefused: () => boolean,
): Promise<boolean> {
  let bytes = 0
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.byteLength
    for (let at = 0; at < chunk.byteLength && !isRefused(); at += bytesPerWrite) {
      parser.write(Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(bytesPerWrite, chunk.byteLength - at)))
      if (at % bytesBetweenYields === 0) await yieldToOthers()
    }
    if (bytes > limit) return false
  }
  return true
}

/** Reads a form with up to `files` files as it arrives; the rest of a refused form is not parsed. */
export async function readMultipart(request: Request, { files = 1 } = {}): Promise<BodyRead<{ form: MultipartForm }>> {
  const limit = files === 1 ? bodyLimits.multipart : bodyLimits.photographs
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { ok: false, fault: 'too_large' }
  if (!request.body) return { ok: false, fault: 'broken' }
  const form: MultipartForm = { fields: [], files: [] }
  let fault: BodyFault | null = null
  const refuse = (why: BodyFault) => {
    fault ??= why
  }
  let parser: InstanceType<typeof Busboy>
  try {
    parser = openParser(request.headers.get('content-type') ?? '', files, form, refuse)
  } catch {
    return { ok: false, fault: 'broken' }
  }
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve)
    parser.once('error', () => resolve())
  })
  try {
    if (!(await feed(parser, request.body, limit, () => fault !== null))) return { ok: false, fault: 'too_large' }
    if (fault) return { ok: false, fault }
    parser.end()
    await finished
    return fault ? { ok: false, fault } : { ok: true, form }
  } catch {
    return { ok: false, fault: 'broken' }
  } finally {
    parser.destroy()
  }
}

function openParser(
  contentType: string,
  files: number,
  form: MultipartForm,
  refuse: (why: BodyFault) => void,
): InstanceType<typeof Busboy> {
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    limits: {
      fieldNameSize: 100,
      fieldSize: bodyLimits.form,
      fields: bodyLimits.fields,
      files,
      parts: bodyLimits.fields + files,
      fileSize: UPLOAD_MAX_BYTES + 1,
      headerPairs: 20,
      headerSize: 4096,
    },
  })
  let textLength = 0
  parser.on('field', (name, value, nameCut, valueCut) => {
    textLength += name.length + value.length
    if (nameCut || valueCut || textLength > bodyLimits.form) refuse('too_large')
    else form.fields.push([name, value])
  })
  parser.on('file', (name, stream) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('limit', () => refuse('too_large'))
    // The file's stream also reports a truncated form; without a listener that would crash the process.
    stream.on('error', () => refuse('broken'))
    stream.on('end', () => {
      form.files.push({ name, bytes: new Uint8Array(Buffer.concat(chunks)) })
    })
  })
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
    parser.on(limit, () => refuse('too_many_fields'))
  parser.on('error', () => refuse('broken'))
  return parser
}
