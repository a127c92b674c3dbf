import PDFDocument from 'pdfkit'
import { describe, expect, test } from 'vitest'
import { textOfPdf } from '../../../tests/support/text-of-pdf.ts'
import { loadPdfkit, openFace, replaceUndrawable } from '../internal/pdf/fonts.ts'
import { inkColor } from '../internal/pdf/pdf-brand.ts'
import { contentWidth } from '../internal/pdf/tagged-pdf.ts'
import { typesetter } from '../internal/pdf/typesetter.ts'
import { consentHash, documentHash } from '../internal/signature/signature-evidence.ts'
import { createSignedLeasePdf } from '../signature/create-signed-lease-pdf.ts'
import { readSignature } from '../signature/validate-drawn-or-typed-signature.ts'
import { sampleDocumentInfo, sampleLease } from '../testing-lease.ts'
import { sampleSignatureDataUrl } from '../testing-signature.ts'
import { agreementText } from '../texts/agreement-as-plain-text.ts'
import { type LeaseFacts, leaseSections } from '../texts/lease-text.ts'
import { leasePdf } from './lease-pdf.ts'

const flat = (text: string) => text.replace(/\s+/g, ' ')
const print = async (facts: Partial<LeaseFacts> = {}) =>
  textOfPdf(await leasePdf(leaseSections({ ...sampleLease, ...facts }), sampleDocumentInfo))

describe('the lease as PDF', () => {
  test('prints every word of the sections, in order, on numbered pages', async () => {
    const sections = leaseSections(sampleLease)
    const { pages, raw } = await print()
    expect(raw.startsWith('%PDF-1.7')).toBe(true)
    const text = flat(pages.map((page) => page.split(/\nLatchkey\n/)[0]).join('\n'))
    let at = 0
    const next = (words: string) => {
      const found = text.indexOf(flat(words).trim(), at)
      expect(found, words).toBeGreaterThanOrEqual(at)
      at = found
    }
    sections.forEach((section, index) => {
      next(`${index + 1}. ${section.heading}`)
      for (const paragraph of section.paragraphs) {
        if (typeof paragraph === 'string') next(paragraph)
        else if ('conspicuous' in paragraph) next(paragraph.conspicuous)
        else if ('list' in paragraph) for (const item of paragraph.list) next(item)
        else for (const row of [...paragraph.table, ...(paragraph.sum ? [paragraph.sum] : [])]) row.forEach(next)
      }
    })
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
      expect(page).toContain('Rental agreement · Unit 214')
    })
  })

  test('has a title, a language and a structure for screen readers', async () => {
    const { raw } = await print()
    expect(raw).toContain('/Lang (en-US)')
    expect(raw).toContain('/Marked true')
    expect(raw).toContain('/StructTreeRoot')
    expect(raw).toContain('/DisplayDocTitle true')
    expect(raw).toContain('(Rental agreement, unit 214)')
    for (const tag of ['H1', 'H2', 'P', 'L', 'LI', 'Table', 'TR', 'TH', 'TD']) expect(raw).toContain(`/S /${tag}\n`)
  })

  test('is the same file for the same agreement, and another file for another agreement', async () => {
    const sections = leaseSections(sampleLease)
    const first = documentHash(await leasePdf(sections, sampleDocumentInfo))
    // Characters and cached words of other documents make no difference.
    await leasePdf(leaseSections({ ...sampleLease, goods: 'Ein Klavier, “quer”, für Łukasz' }), sampleDocumentInfo)
    expect(documentHash(await leasePdf(sections, sampleDocumentInfo))).toBe(first)
    expect(
      documentHash(await leasePdf(sections, { ...sampleDocumentInfo, madeAt: sampleDocumentInfo.madeAt + 1000 })),
    ).not.toBe(first)
    expect(
      documentHash(await leasePdf(leaseSections({ ...sampleLease, gateCode: '482914' }), sampleDocumentInfo)),
    ).not.toBe(first)
  })

  test('prints accents that its font has, drops others, and prints letters that it lacks by their code', async () => {
    const linesWithName = async (name: string) =>
      (await print({ tenant: { ...sampleLease.tenant, name } })).pages[0]!.split('\n')
    expect(await linesWithName('Łukasz Żółć Šimůnek')).toContain('Łukasz Żółć Šimůnek')
    expect(await linesWithName('Işık Yıldız')).toContain('Işık Yıldız')
    expect(await linesWithName('Nguyễn Phương')).toContain('Nguyên Phuong')
    expect(await linesWithName('山 Hana')).toContain('[U+5C71] Hana')
    expect(await linesWithName('Eve\u0000\r\n(Mallory) \\)')).toContain('Eve (Mallory) \\)')
  })

  test('keeps text readable that needs more than 256 glyphs', async () => {
    await loadPdfkit()
    const font = openFace('text')
    const letters = Array.from({ length: 0x24f - 0xa1 }, (_, at) => String.fromCodePoint(0xa1 + at))
      .filter((letter) => /\p{L}/u.test(letter) && font.hasGlyphForCodePoint(letter.codePointAt(0)!))
      .join('')
    const { pages } = await print({ goods: letters })
    expect(pages.join('').replaceAll('\n', '')).toContain(letters)
  })

  test('sets the digits of amounts in equal width', async () => {
    const doc = new PDFDocument({ autoFirstPage: false, font: '', compress: false })
    const type = typesetter(doc, 700)
    const style = { face: 'text', size: 10, color: inkColor } as const
    expect(type.width({ ...style, tabular: true }, '1111')).toBeCloseTo(type.width({ ...style, tabular: true }, '8888'))
    expect(type.width(style, '1111')).toBeLessThan(type.width(style, '8888'))
  })

  test('breaks a line between words, and a word that is longer than its line', () => {
    const doc = new PDFDocument({ autoFirstPage: false, font: '' })
    const type = typesetter(doc, 700)
    const style = { face: 'bold', size: 10, color: inkColor } as const
    const lineHeight = type.height(style, 'n', { width: 100 })
    expect(type.height(style, 'n'.repeat(60), { width: 100 }) / lineHeight).toBe(
      Math.ceil(type.width(style, 'n'.repeat(60)) / 100),
    )
    expect(type.height(style, 'move-in today', { width: type.width(style, 'move-in') })).toBe(2 * lineHeight)
    expect(type.height(style, 'move-in today', { width: type.width(style, 'move-') })).toBe(3 * lineHeight)
  })

  test('wraps long text instead of cutting it', async () => {
    const company = `${'Antique Chair Restoration and '.repeat(12)}Sons`
    const { pages } = await print({ tenant: { ...sampleLease.tenant, company } })
    expect(flat(pages.join('\n'))).toContain(company)
  })

  test('cuts an operator’s name that is too long for the page header', async () => {
    const operator = 'W'.repeat(200)
    const { pages } = textOfPdf(await leasePdf(leaseSections(sampleLease), { ...sampleDocumentInfo, operator }))
    for (const page of pages) {
      const [head, ...more] = page.split('\n').filter((words) => /^W+…?$/.test(words))
      expect(head).toMatch(/^W{10,25}…$/)
      expect(more).toEqual([])
    }
  })
})

describe('the signature', () => {
  const signing = {
    signerName: 'Maya Okafor',
    signedAt: sampleDocumentInfo.madeAt,
    signedAtText: 'November 20, 2026, 3:41 PM EST',
    address: '198.51.100.24',
    agent: 'Mozilla/5.0 (iPhone)',
  }
  const sections = leaseSections(sampleLease)

  test.each(['drawn', 'typed'] as const)(
    'shows a %s signature in the file with its record and hashes',
    async (method) => {
      const read = readSignature(
        method === 'drawn' ? { method, image: sampleSignatureDataUrl() } : { method, name: 'Maya A. Okafor' },
      )
      if (!read.ok) throw new Error(read.fault)
      const { pdf, evidence } = await createSignedLeasePdf(
        { sections, documentInfo: sampleDocumentInfo },
        read.signature,
        signing,
      )
      expect(evidence).toEqual({
        ...signing,
        method,
        consentHash,
        hashBefore: documentHash(agreementText(sections, sampleDocumentInfo)),
        hashAfter: documentHash(pdf),
      })
      const { pages, raw } = textOfPdf(pdf)
      const last = flat(pages.at(-1)!)
      expect(last).toContain('Tenant, signed November 20, 2026, 3:41 PM EST')
      expect(last).toContain(evidence.hashBefore)
      expect(last).toContain('198.51.100.24')
      expect(raw.includes('/Subtype /Image')).toBe(method === 'drawn')
      expect(last.includes('Maya A. Okafor')).toBe(method === 'typed')
      const again = await createSignedLeasePdf({ sections, documentInfo: sampleDocumentInfo }, read.signature, signing)
      expect(again.evidence).toEqual(evidence)
    },
  )

  test('leaves an empty line to sign in an unsigned lease', async () => {
    const { pages } = await print()
    expect(pages.at(-1)).toContain('Tenant’s signature')
    expect(pages.at(-1)).not.toContain('Signing record')
  })

  test('breaks a typed signature over as many lines as it needs, without losing any of it', async () => {
    for (const name of [
      'W'.repeat(100),
      '北京市朝阳区建国门外大街甲十二号新华保险'.repeat(5),
      `Z${'\u0323\u0301'.repeat(49)}e`,
    ]) {
      const read = readSignature({ method: 'typed', name })
      if (!read.ok) throw new Error(read.fault)
      const { pdf } = await createSignedLeasePdf(
        { sections, documentInfo: sampleDocumentInfo },
        read.signature,
        signing,
      )
      const page = textOfPdf(pdf).pages.at(-1)!
      const printed = replaceUndrawable(name)
      expect(page.replaceAll('\n', ''), name).toContain(printed)
      const type = typesetter(new PDFDocument({ autoFirstPage: false, font: '' }), 700)
      for (const words of page.split('\n'))
        if (printed.includes(words) && words.length > 20)
          expect(type.width({ face: 'script', size: 5, color: inkColor }, words)).toBeLessThanOrEqual(contentWidth)
    }
  })

  test('keeps the last section and the signature line on one page, wherever the text ends', async () => {
    const [first, ...rest] = leaseSections(sampleLease)
    // Ten lengths, about a tenth of a page apart, so that the text ends at different heights of a page.
    for (let step = 0; step < 10; step += 1) {
      const more = { ...first!, paragraphs: [...first!.paragraphs, ...Array<string>(step * 4).fill('One more line.')] }
      const last = flat(textOfPdf(await leasePdf([more, ...rest], sampleDocumentInfo)).pages.at(-1)!)
      expect(last, `${step * 4} lines more`).toMatch(
        /Electronic signature .*By signing you confirm.*Tenant’s signature/,
      )
    }
  })
})

test('hashes a text that contains every word of the printed agreement', async () => {
  const sections = leaseSections(sampleLease)
  const words = (text: string) => new Set(text.match(/[A-Za-z]{3,}/g))
  const { pages } = textOfPdf(await leasePdf(sections, sampleDocumentInfo))
  const hashed = words(agreementText(sections, sampleDocumentInfo))
  // The signature line and page footers are not part of the agreement.
  const unhashed = words('Tenant’s signature Date Page of Signature')
  const missing = [...words(flat(pages.join(' ')))].filter((word) => !hashed.has(word) && !unhashed.has(word))
  expect(missing).toEqual([])
  const other = leaseSections({ ...sampleLease, moveInDate: '2026-11-21' })
  expect(agreementText(other, sampleDocumentInfo)).not.toBe(agreementText(sections, sampleDocumentInfo))
})

test('hashes a document with SHA-256', () => {
  expect(documentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
