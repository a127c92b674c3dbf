import { describe, expect, test } from 'vitest'
import { dataUrl, inkPng, isOnStroke, sampleSignatureDataUrl } from '../testing-signature.ts'
import { readSignature, signatureFaultMessages, signatureLimits } from './validate-drawn-or-typed-signature.ts'

const readDrawn = (image: string) => readSignature({ method: 'drawn', image })
const readTyped = (name: string) => readSignature({ method: 'typed', name })
const fault = (result: ReturnType<typeof readSignature>) => (result.ok ? 'accepted' : result.fault)

describe('a drawn signature', () => {
  test('is accepted from a canvas of 600 × 200, 300 × 100 and twice 600 × 200', () => {
    expect(readDrawn(sampleSignatureDataUrl())).toMatchObject({
      ok: true,
      signature: { method: 'drawn', width: 600, height: 200 },
    })
    expect(readDrawn(dataUrl(inkPng(300, 100, (x, y) => isOnStroke(x * 2, y * 2)))).ok).toBe(true)
    expect(readDrawn(dataUrl(inkPng(1200, 400, (x, y) => isOnStroke(x / 2, y / 2)))).ok).toBe(true)
  })

  test('is read through row filters', () => {
    expect(readDrawn(dataUrl(inkPng(600, 200, isOnStroke, { filter: 2 }))).ok).toBe(true)
    expect(fault(readDrawn(dataUrl(inkPng(600, 200, () => false, { filter: 2 }))))).toBe('blank')
  })

  test('keeps nothing but the picture', () => {
    const result = readDrawn(dataUrl(inkPng(600, 200, isOnStroke, { extra: ['tEXt', 'Comment\0<script>'] })))
    expect(result.ok && result.signature.method === 'drawn' && Buffer.from(result.signature.image)).toEqual(
      inkPng(600, 200, isOnStroke),
    )
  })

  test.each([
    ['nothing', () => false],
    ['a dot', (x: number, y: number) => (x - 300) ** 2 + (y - 100) ** 2 < 64],
    ['all ink', () => true],
  ])('is refused as blank: %s', (_, paint) => {
    expect(fault(readDrawn(dataUrl(inkPng(600, 200, paint))))).toBe('blank')
  })

  test('is refused as blank when its ink would be invisible on a white page', () => {
    expect(fault(readDrawn(dataUrl(inkPng(600, 200, isOnStroke, { ink: [243, 240, 232, 255] }))))).toBe('blank')
    expect(fault(readDrawn(dataUrl(inkPng(600, 200, isOnStroke, { ink: [0, 0, 0, 12] }))))).toBe('blank')
  })

  test('is refused when it is too large in pixels or bytes', () => {
    expect(fault(readDrawn(dataUrl(inkPng(1201, 200, isOnStroke))))).toBe('wrong_size')
    expect(fault(readDrawn(dataUrl(inkPng(600, 401, isOnStroke))))).toBe('wrong_size')
    expect(fault(readDrawn(`data:image/png;base64,${'A'.repeat(signatureLimits.bytes * 2)}`))).toBe('too_large')
  })

  test('is refused when it is not a PNG, is damaged, or unpacks to something else', () => {
    const good = inkPng(600, 200, isOnStroke)
    const flipped = Buffer.from(good)
    flipped[flipped.length - 20]! ^= 1
    const lying = Buffer.concat([inkPng(60, 20, () => true).subarray(0, 33), inkPng(600, 200, isOnStroke).subarray(33)])
    for (const bytes of [
      Buffer.from('<svg onload="x">'),
      good.subarray(0, 100),
      good.subarray(0, -1),
      flipped,
      lying,
    ]) {
      expect(fault(readDrawn(dataUrl(bytes)))).toBe('not_an_image')
    }
    expect(fault(readDrawn(sampleSignatureDataUrl().replace('image/png', 'image/svg+xml')))).toBe('not_an_image')
    expect(fault(readDrawn('javascript:alert(1)'))).toBe('not_an_image')
    expect(fault(readDrawn(''))).toBe('missing')
  })
})

describe('a typed signature', () => {
  test('is stored as one line without control characters', () => {
    expect(readTyped('  Łukasz\r\n O’Neill\u202e ')).toEqual({
      ok: true,
      signature: { method: 'typed', name: 'Łukasz O’Neill' },
    })
  })

  test('needs a name', () => {
    expect(fault(readTyped(' \n '))).toBe('missing')
    expect(fault(readTyped('..-'))).toBe('bad_name')
    expect(fault(readTyped('x'))).toBe('bad_name')
    expect(fault(readTyped('Ma '.repeat(60)))).toBe('bad_name')
  })
})

test('every error message states the next step', () => {
  for (const sentence of Object.values(signatureFaultMessages)) expect(sentence).toMatch(/sign|draw|type/i)
})
