import type { Section } from '../text/lease-text.ts'
import { drawable } from './fonts.ts'
import { drawDoor, drawMark, drawRule, ink, line, soft } from './look.ts'
import { body, bold, drawParagraph, type LeaseCanvas, text } from './paragraphs.ts'
import { drawSignatureBlock, type LeaseSignature, signatureBlockHeight } from './signature-block.ts'
import { type Element, sheet, sheetFloor, sheetWidth, taggedPdf } from './tagged-pdf.ts'
import { typesetter } from './typesetter.ts'

export interface LeasePaper {
  title: string
  operator: string
  place: string
  unitNumber: string
  /** Date of the document, epoch milliseconds; part of its bytes. */
  madeAt: number
}

const { left } = sheet

/** Draws the agreement as PDF. The same arguments give the same bytes, so that a hash identifies the document. */
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
  // The typesetter embeds the typefaces itself.
  const file = await taggedPdf(info, '')
  const on: LeaseCanvas = { ...file, type: typesetter(file.doc, sheetFloor) }
  const root = file.begin()
  drawTitle(on, root, paper)
  const atEnd = signatureBlockHeight(on, signature)
  for (const [index, section] of sections.entries())
    drawSection(on, root, section, { number: index + 1, below: index === sections.length - 1 ? atEnd : null })
  drawSignatureBlock(on, root, signature)
  root.end()
  drawHeadAndFoot(on, paper)
  on.type.finish()
  return file.finish()
}

function drawTitle(on: LeaseCanvas, root: Element, { title, place, unitNumber }: LeasePaper): void {
  const { doc, element, type } = on
  drawDoor(on)
  element(root, 'H1', () => type.set(bold(24, ink), drawable(title), left, doc.y, { width: sheetWidth })).end()
  doc.y += 2
  element(root, 'P', () =>
    type.set(text(11, soft), drawable(`Unit ${unitNumber} at ${place}`), left, doc.y, body),
  ).end()
  doc.y += 6
}

function drawSection(
  on: LeaseCanvas,
  root: Element,
  { heading, paragraphs }: Section,
  { number, below }: { number: number; below: number | null },
): void {
  const { doc, element, keep, type } = on
  const part = element(root, 'Sect')
  const words = paragraphs.filter((paragraph) => typeof paragraph === 'string')
  keep(
    below === null
      ? 68
      : words.reduce((sum, one) => sum + type.height(text(9.5, ink), drawable(one), body) + 5, 34) + below,
  )
  doc.y += 9
  element(part, 'H2', () =>
    type.set(bold(12, ink), drawable(`${number}. ${heading}`), left, doc.y, { width: sheetWidth }),
  ).end()
  doc.y += 4
  for (const paragraph of paragraphs) drawParagraph(on, part, paragraph)
  part.end()
}

function drawHeadAndFoot({ doc, frame, type }: LeaseCanvas, { title, operator, place, unitNumber }: LeasePaper): void {
  frame((number, count) => {
    drawMark(doc, left, 36)
    // Operators choose both names, so each is cut to half of the page's width.
    type.setLine(bold(12.5, ink), drawable(operator), left + 28, 39.5, { width: sheetWidth / 2 - 40 })
    const heading = drawable(`${title} · Unit ${unitNumber}`)
    type.setLine(text(8.5, soft), heading, left + sheetWidth / 2, 43, { width: sheetWidth / 2, align: 'right' })
    drawRule(doc, 66, line)
    type.setLine(text(8.5, soft), drawable(place), left, sheet.height - 46, { width: sheetWidth - 90 })
    type.setLine(text(8.5, soft), `Page ${number} of ${count}`, left + sheetWidth - 80, sheet.height - 46, {
      width: 80,
      align: 'right',
    })
  })
}
