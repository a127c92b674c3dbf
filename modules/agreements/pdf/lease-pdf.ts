/** The agreement on paper: US letter, tagged for screen readers, and the same bytes for the same input. */

import type { Paragraph, Section } from '../text/sections.ts'
import { drawable } from './fonts.ts'
import { type Element, sheet, sheetFloor, sheetWidth, taggedPdf } from './tagged-pdf.ts'
import { type Style, typesetter } from './typesetter.ts'

export interface LeasePaper {
  /** Shown as the document's title: 'Rental agreement'. */
  title: string
  operator: string
  /** Beneath the title: 'Ponce City, 675 North Ave NE, Atlanta, GA 30308'. */
  place: string
  unitNumber: string
  /** Epoch milliseconds: the document's date, and part of its bytes. */
  madeAt: number
}

export interface LeaseSignature {
  mark: { method: 'drawn'; image: Uint8Array } | { method: 'typed'; name: string }
  signerName: string
  signedAtText: string
  /** The signing record, from `evidenceLines`. */
  evidence: string[]
}

export const ink = '#14191C'
export const soft = '#5A646A'
export const line = '#E3DFD5'
export const wash = '#F3EFE4'
export const door = '#FFC83D'
export const doorEdge = '#F0B21E'

const page = sheet
const textWidth = sheetWidth
const floor = sheetFloor
const labelWidth = 132
const signatureWidth = textWidth * 0.62

/**
 * Sets the agreement, with a place to sign, or with the signature and its signing record.
 * The same arguments give the same bytes, so that a hash of them means something.
 */
export async function leasePdf(
  sections: Section[],
  paper: LeasePaper,
  signature?: LeaseSignature,
): Promise<Uint8Array> {
  const info = {
    Title: `${paper.title}, unit ${paper.unitNumber}`,
    Author: paper.operator,
    Subject: paper.place,
    CreationDate: new Date(paper.madeAt),
    ModDate: new Date(paper.madeAt),
  }
  // The typesetter brings its own.
  const file = taggedPdf(info, '')
  const { doc, element, artifact, keep } = file

  const type = typesetter(doc, floor)
  const text = (size: number, colour: string): Style => ({ face: 'text', size, colour })
  const bold = (size: number, colour: string): Style => ({ face: 'bold', size, colour })

  const root = file.begin()
  const rule = (y: number, colour: string, width = 0.6) =>
    artifact(() =>
      doc
        .moveTo(page.left, y)
        .lineTo(page.left + textWidth, y)
        .lineWidth(width)
        .stroke(colour),
    )

  const body = { width: textWidth, lineGap: 2.2 }

  // Title, beneath a band of the door.
  artifact(() => {
    doc.save().roundedRect(page.left, page.top, textWidth, 22, 4).clip()
    doc.rect(page.left, page.top, textWidth, 22).fill(door)
    for (let y = 5.5; y < 22; y += 5.5) doc.rect(page.left, page.top + y, textWidth, 0.9).fill(doorEdge)
    doc.restore()
  })
  doc.y = page.top + 38
  element(root, 'H1', () =>
    type.set(bold(24, ink), drawable(paper.title), page.left, doc.y, { width: textWidth }),
  ).end()
  doc.y += 2
  element(root, 'P', () =>
    type.set(text(11, soft), drawable(`Unit ${paper.unitNumber} at ${paper.place}`), page.left, doc.y, body),
  ).end()
  doc.y += 6

  const drawTable = (parent: Element, { table, sum, kind }: Extract<Paragraph, { table: unknown }>) => {
    const price = kind === 'price'
    const all = sum ? [...table, sum] : table
    const structure = element(parent, 'Table')
    doc.y += 2
    all.forEach(([label, value], index) => {
      const isSum = sum !== undefined && index === all.length - 1
      const size = isSum ? 11 : 9.5
      const labelStyle = isSum ? bold(size, ink) : text(size, price ? ink : soft)
      const valueStyle = price ? { ...(isSum ? bold(size, ink) : text(size, ink)), tabular: true } : text(size, ink)
      const [left, right] = [drawable(label), drawable(value)]
      const widthLeft = price ? textWidth - 90 : labelWidth
      const widthRight = price ? 82 : textWidth - labelWidth - 8
      const labelBlock = { width: widthLeft, lineGap: 1.5 }
      const valueBlock = { width: widthRight, lineGap: 1.5, align: price ? ('right' as const) : ('left' as const) }
      const height = Math.max(type.height(labelStyle, left, labelBlock), type.height(valueStyle, right, valueBlock)) + 7
      // A sum never stands alone at the head of a page.
      keep(sum && index === all.length - 2 ? height + 22 : height)
      const top = doc.y
      if (isSum) rule(top, ink, 0.9)
      const textTop = top + 3.5 + (isSum ? 1 : 0)
      const row = element(structure, 'TR')
      element(row, 'TH', () => type.set(labelStyle, left, page.left, textTop, labelBlock)).end()
      element(row, 'TD', () =>
        type.set(valueStyle, right, page.left + textWidth - widthRight, textTop, valueBlock),
      ).end()
      row.end()
      doc.y = top + height + (isSum ? 2 : 0)
      if (index < table.length - 1) rule(doc.y, line)
    })
    structure.end()
    doc.y += 7
  }

  const record = (signature?.evidence ?? []).map(drawable)
  const recordStyle = { width: textWidth - 24, lineGap: 1.5 }
  const recordHeight =
    record.length === 0
      ? 0
      : 34 + record.reduce((sum, words) => sum + type.height(text(8, soft), words, recordStyle) + 2, 0)
  const signingHeight = 128 + recordHeight

  sections.forEach((section, index) => {
    const part = element(root, 'Sect')
    const words = section.paragraphs.filter((paragraph) => typeof paragraph === 'string')
    // A heading keeps three lines of its text with it; the last section all of it and the signature, which on a page of
    // its own would stand under nothing that was agreed to.
    keep(
      index === sections.length - 1
        ? words.reduce((sum, one) => sum + type.height(text(9.5, ink), drawable(one), body) + 5, 34) + signingHeight
        : 68,
    )
    doc.y += 9
    element(part, 'H2', () =>
      type.set(bold(12, ink), drawable(`${index + 1}. ${section.heading}`), page.left, doc.y, { width: textWidth }),
    ).end()
    doc.y += 4
    for (const paragraph of section.paragraphs) {
      if (typeof paragraph === 'string') {
        keep(24)
        element(part, 'P', () => type.set(text(9.5, ink), drawable(paragraph), page.left, doc.y, body)).end()
        doc.y += 5
      } else if ('conspicuous' in paragraph) {
        const words = drawable(paragraph.conspicuous)
        const inner = { width: textWidth - 28, lineGap: 2.5 }
        const height = type.height(bold(10.5, ink), words, inner) + 16
        keep(height + 6)
        const top = doc.y + 2
        artifact(() => {
          doc.rect(page.left, top, textWidth, height).fill(wash)
          doc.rect(page.left, top, 4, height).fill(door)
        })
        element(part, 'P', () => type.set(bold(10.5, ink), words, page.left + 16, top + 8, inner)).end()
        doc.y = top + height + 8
      } else if ('list' in paragraph) {
        const list = element(part, 'L')
        for (const item of paragraph.list) {
          keep(16)
          const row = element(list, 'LI')
          const top = doc.y
          element(row, 'Lbl', () => type.set(text(9.5, ink), '•', page.left + 4, top, { width: 10 })).end()
          element(row, 'LBody', () =>
            type.set(text(9.5, ink), drawable(item), page.left + 16, top, { width: textWidth - 16, lineGap: 2.2 }),
          ).end()
          row.end()
          doc.y += 2.5
        }
        list.end()
        doc.y += 3
      } else {
        drawTable(part, paragraph)
      }
    }
    part.end()
  })

  const sign = element(root, 'Sect')
  keep(signingHeight)
  doc.y += 14
  const boxTop = doc.y
  const lineY = boxTop + 74
  const half = (textWidth - 32) / 2
  if (signature?.mark.method === 'drawn') {
    const { image } = signature.mark
    element(
      sign,
      'Figure',
      () => doc.image(Buffer.from(image), page.left, boxTop, { fit: [signatureWidth, 70], align: 'left' } as object),
      `Signature of ${signature.signerName}, drawn by hand`,
    ).end()
  } else if (signature) {
    const name = drawable(signature.mark.method === 'typed' ? signature.mark.name : '')
    const script: Style = { face: 'script', size: 26, colour: ink }
    while (script.size > 11 && type.width(script, name) > signatureWidth) script.size -= 1
    if (type.width(script, name) <= signatureWidth)
      element(sign, 'P', () => type.setLine(script, name, page.left, lineY - script.size * 1.35)).end()
    else {
      // Longer than the line is: over the page's width, in as many lines as it takes, since what was typed is what signs.
      const whole = { width: textWidth }
      while (script.size > 5 && type.height(script, name, whole) > lineY - boxTop - 6) script.size -= 1
      const height = type.height(script, name, whole)
      element(sign, 'P', () => type.set(script, name, page.left, lineY - 4 - height, whole)).end()
    }
  }
  artifact(() => {
    doc.moveTo(page.left, lineY).lineTo(page.left + (signature ? signatureWidth : half), lineY)
    if (!signature) doc.moveTo(page.left + half + 32, lineY).lineTo(page.left + textWidth, lineY)
    doc.lineWidth(0.9).stroke(ink)
  })
  doc.y = lineY + 6
  if (signature) {
    element(sign, 'P', () =>
      type.set(bold(10, ink), drawable(signature.signerName), page.left, doc.y, { width: textWidth }),
    ).end()
    element(sign, 'P', () =>
      type.set(text(9.5, soft), drawable(`Tenant, signed ${signature.signedAtText}`), page.left, doc.y, {
        width: textWidth,
      }),
    ).end()
    if (record.length > 0) {
      const top = doc.y + 12
      artifact(() => doc.roundedRect(page.left, top, textWidth, recordHeight - 8, 5).fill(wash))
      doc.y = top + 8
      element(sign, 'P', () => type.set(bold(8.5, ink), 'Signing record', page.left + 12, doc.y, recordStyle)).end()
      doc.y += 2
      for (const words of record) {
        element(sign, 'P', () => type.set(text(8, soft), words, page.left + 12, doc.y, recordStyle)).end()
        doc.y += 2
      }
    }
  } else {
    const top = doc.y
    element(sign, 'P', () => type.set(text(9.5, soft), 'Tenant’s signature', page.left, top, { width: half })).end()
    element(sign, 'P', () => type.set(text(9.5, soft), 'Date', page.left + half + 32, top, { width: half })).end()
  }
  sign.end()
  root.end()

  // Head and foot come last, when the number of pages is known.
  file.frame((number, count) => {
    drawMark(doc, page.left, 36)
    // The names of both are the operator's and may be long: neither runs into the other, nor off the page.
    type.setLine(bold(12.5, ink), drawable(paper.operator), page.left + 28, 39.5, { width: textWidth / 2 - 40 })
    const heading = drawable(`${paper.title} · Unit ${paper.unitNumber}`)
    type.setLine(text(8.5, soft), heading, page.left + textWidth / 2, 43, { width: textWidth / 2, align: 'right' })
    doc
      .moveTo(page.left, 66)
      .lineTo(page.left + textWidth, 66)
      .lineWidth(0.6)
      .stroke(line)
    type.setLine(text(8.5, soft), drawable(paper.place), page.left, page.height - 46, { width: textWidth - 90 })
    type.setLine(text(8.5, soft), `Page ${number} of ${count}`, page.left + textWidth - 80, page.height - 46, {
      width: 80,
      align: 'right',
    })
  })
  type.finish()
  return file.finish()
}

/** The house's mark: a closed roll-up door in a frame, 20 points square. */
export function drawMark(doc: PDFKit.PDFDocument, x: number, y: number) {
  doc
    .roundedRect(x + 1, y + 1, 18, 18, 4)
    .lineWidth(2)
    .fillAndStroke(door, ink)
  doc
    .lineWidth(1.6)
    .moveTo(x + 5, y + 6.5)
    .lineTo(x + 15, y + 6.5)
    .stroke(ink)
  doc
    .moveTo(x + 5, y + 10)
    .lineTo(x + 15, y + 10)
    .stroke(ink)
  doc.circle(x + 10, y + 14.4, 1.5).fill(ink)
}
