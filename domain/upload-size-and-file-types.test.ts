import { expect, test } from 'vitest'
import { formTooLarge } from './texts/general-errors.ts'
import { readUpload, sizeFault, UPLOAD_MAX_BYTES, UPLOAD_MAX_MB } from './upload-size-and-file-types.ts'

const bytesOf = (text: string, more: number[] = []) => new Uint8Array([...more, ...new TextEncoder().encode(text)])

test.each([
  ['a photo', bytesOf('JFIF', [0xff, 0xd8, 0xff, 0xe0]), 'jpg'],
  ['a screenshot', bytesOf('IHDR', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'png'],
  ['an old picture', bytesOf('GIF87a....'), 'gif'],
  ['a picture', bytesOf('GIF89a....'), 'gif'],
  ['a document', bytesOf('%PDF-1.7\n…'), 'pdf'],
  ['encapsulated PostScript', bytesOf('%!PS-Adobe-3.0 EPSF-3.0\n'), 'eps'],
  ['the same with a preview', bytesOf('....', [0xc5, 0xd0, 0xd3, 0xc6]), 'eps'],
] as const)('%s is taken by its content', (_, bytes, extension) => {
  expect(readUpload(bytes)).toMatchObject({ ok: true, type: { extension } })
})

test.each([
  ['nothing', new Uint8Array(), 'missing'],
  ['a page called .pdf', bytesOf('<!doctype html><script>alert(1)</script>%PDF-1.7'), 'wrong_type'],
  ['a drawing called .png', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'wrong_type'],
  ['PostScript that is no picture', bytesOf('%!PS-Adobe-3.0\n(/etc/passwd) (r) file'), 'wrong_type'],
  ['a program', bytesOf('MZ'), 'wrong_type'],
  ['one byte of a photo', new Uint8Array([0xff]), 'wrong_type'],
  ['too much', new Uint8Array(UPLOAD_MAX_BYTES + 1), 'too_large'],
] as const)('%s is refused', (_, bytes, fault) => {
  expect(readUpload(bytes)).toEqual({ ok: false, fault })
})

test('a file is known to be too large, or to be none, before it is sent', () => {
  expect([0, 1, UPLOAD_MAX_BYTES, UPLOAD_MAX_BYTES + 1].map(sizeFault)).toEqual(['missing', null, null, 'too_large'])
})

// Written out, so that the pages that show it do not load the types of files.
test('the sentence about a form that is too large states the maximum', () => {
  expect(formTooLarge).toContain(`${UPLOAD_MAX_MB} MB`)
})
