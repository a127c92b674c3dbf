/** Maximum size of an uploaded file, in megabytes as sentences state it. */
export const UPLOAD_MAX_MB = 10
export const UPLOAD_MAX_BYTES = UPLOAD_MAX_MB * 1024 * 1024

/** A file type that may be uploaded. */
export interface UploadType {
  extension: 'jpg' | 'gif' | 'png' | 'pdf' | 'eps'
  contentType: string
}

const types: readonly { type: UploadType; matches: (bytes: Uint8Array) => boolean }[] = [
  {
    type: { extension: 'jpg', contentType: 'image/jpeg' },
    matches: (bytes) => startsWithBytes(bytes, [0xff, 0xd8, 0xff]),
  },
  {
    type: { extension: 'png', contentType: 'image/png' },
    matches: (bytes) => startsWithBytes(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
  {
    type: { extension: 'gif', contentType: 'image/gif' },
    matches: (bytes) => startsWithText(bytes, 'GIF87a') || startsWithText(bytes, 'GIF89a'),
  },
  { type: { extension: 'pdf', contentType: 'application/pdf' }, matches: (bytes) => startsWithText(bytes, '%PDF-') },
  {
    // Encapsulated PostScript by its header, or its binary form with a preview.
    type: { extension: 'eps', contentType: 'application/postscript' },
    matches: (bytes) =>
      startsWithBytes(bytes, [0xc5, 0xd0, 0xd3, 0xc6]) || /^%!PS-Adobe-\d\.\d EPSF-/.test(text(bytes, 40)),
  },
]

const startsWithBytes = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)
const text = (bytes: Uint8Array, length: number) => String.fromCharCode(...bytes.subarray(0, length))
const startsWithText = (bytes: Uint8Array, start: string) => text(bytes, start.length) === start

/** Returns a file's type by its content; null when that type may not be uploaded. */
function uploadTypeOf(bytes: Uint8Array): UploadType | null {
  return types.find(({ matches }) => matches(bytes))?.type ?? null
}

export type UploadFault = 'missing' | 'too_large' | 'wrong_type'

export const uploadFaultMessages: Record<UploadFault, string> = {
  missing: 'Choose a file that shows your insurance.',
  too_large: `The file is larger than ${UPLOAD_MAX_MB} MB. Choose a smaller one, or a photo of the page.`,
  wrong_type: 'The file must be a JPEG, GIF, PNG, PDF or EPS.',
}

/**
 * Returns the fault that a file's size alone shows, before the file is read or sent; null when the size is fine.
 * @param bytes size of the file
 */
export function sizeFault(bytes: number): UploadFault | null {
  if (bytes === 0) return 'missing'
  return bytes > UPLOAD_MAX_BYTES ? 'too_large' : null
}

/** Returns the type under which an upload's bytes may be stored, or the fault: no bytes, too many, or a wrong type. */
export function readUpload(bytes: Uint8Array): { ok: true; type: UploadType } | { ok: false; fault: UploadFault } {
  const fault = sizeFault(bytes.byteLength)
  if (fault) return { ok: false, fault }
  const type = uploadTypeOf(bytes)
  return type ? { ok: true, type } : { ok: false, fault: 'wrong_type' }
}
