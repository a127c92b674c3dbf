import { replaceUndrawable } from '../internal/pdf/fonts.ts'
import { bodyBlock, boldStyle, drawParagraph, type LeaseCanvas, textStyle } from '../internal/pdf/paragraphs.ts'
import { drawDoor, drawLogoMark, drawRule, inkColor, mutedColor, ruleColor } from '../internal/pdf/pdf-brand.ts'
import { drawSignatureBlock, type LeaseSignature, signatureBlockHeight } from '../internal/pdf/signature-block.ts'
import { contentBottom, contentWidth, type Element, pageGeometry, taggedPdf } from '../internal/pdf/tagged-pdf.ts'
import { typesetter } from '../internal/pdf/typesetter.ts'
import type { Section } from '../texts/lease-text.ts'

/** Facts in the title, header and footer of the agreement's PDF. */
export interface LeaseDocumentInfo {
  title: string
  operator: string
  place: string
  unitNumber: string
  /** Date of the document, epoch milliseconds; part of its bytes. */
  madeAt: number
}

const { left } = pageGeometry

/** Draws the agreement as PDF. The same arguments give the same bytes, so that a hash identifies the document. */
export async function leasePdf(
  sections: Section[],
  documentInfo: LeaseDocumentInfo,
  signature?: LeaseSignature,
): Promise<Uint8Array<ArrayBuffer>> {
  const info = {
    Title: `${documentInfo.title}, unit ${documentInfo.unitNumber}`,
    Author: documentInfo.operator,
    Subject: documentInfo.place,
    CreationDate: new Date(documentInfo.madeAt),
    ModDate: new Date(documentInfo.madeAt),
  }
  // The typesetter embeds the typefaces itself.
  const file = await taggedPdf(info, '')
  const canvas: LeaseCanvas = { ...file, type: typesetter(file.doc, contentBottom) }
  const root = file.begin()
  drawTitle(canvas, root, documentInfo)
  const signatureHeight = signatureBlockHeight(canvas, signature)
  for (const [index, section] of sections.entries())
    drawSection(canvas, root, section, {
      number: index + 1,
      heightBelow: index === sections.length - 1 ? signatureHeight : null,
    })
  drawSignatureBlock(canvas, root, signature)
  root.end()
  drawHeadAndFoot(canvas, documentInfo)
  canvas.type.finish()
  return file.finish()
}

function drawTitle(canvas: LeaseCanvas, root: Element, { title, place, unitNumber }: LeaseDocumentInfo): void {
  const { doc, element, type } = canvas
  drawDoor(canvas)
  element(root, 'H1', () =>
    type.set(boldStyle(24, inkColor), replaceUndrawable(title), left, doc.y, { width: contentWidth }),
  ).end()
  doc.y += 2
  element(root, 'P', () =>
    type.set(textStyle(11, mutedColor), replaceUndrawable(`Unit ${unitNumber} at ${place}`), left, doc.y, bodyBlock),
  ).end()
  doc.y += 6
}

/**
 * Draws a section of the agreement.
 * @param options `heightBelow`: height in points of the signature block, which must fit on the last section's page;
 *   null for the other sections
 */
function drawSection(
  canvas: LeaseCanvas,
  root: Element,
  { heading, paragraphs }: Section,
  { number, heightBelow }: { number: number; heightBelow: number | null },
): void {
  const { doc, element, ensureSpace, type } = canvas
  const part = element(root, 'Sect')
  const texts = paragraphs.filter((paragraph) => typeof paragraph === 'string')
  ensureSpace(
    heightBelow === null
      ? 68
      : texts.reduce(
          (sum, text) => sum + type.height(textStyle(9.5, inkColor), replaceUndrawable(text), bodyBlock) + 5,
          34,
        ) + heightBelow,
  )
  doc.y += 9
  element(part, 'H2', () =>
    type.set(boldStyle(12, inkColor), replaceUndrawable(`${number}. ${heading}`), left, doc.y, { width: contentWidth }),
  ).end()
  doc.y += 4
  for (const paragraph of paragraphs) drawParagraph(canvas, part, paragraph)
  part.end()
}

function drawHeadAndFoot(
  { doc, frame, type }: LeaseCanvas,
  { title, operator, place, unitNumber }: LeaseDocumentInfo,
): void {
  frame((number, count) => {
    drawLogoMark(doc, left, 36)
    // The operator's name and the unit number may be long, so each text is cut to its half of the line.
    type.setLine(boldStyle(12.5, inkColor), replaceUndrawable(operator), left + 28, 39.5, {
      width: contentWidth / 2 - 40,
    })
    const heading = replaceUndrawable(`${title} · Unit ${unitNumber}`)
    type.setLine(textStyle(8.5, mutedColor), heading, left + contentWidth / 2, 43, {
      width: contentWidth / 2,
      align: 'right',
    })
    drawRule(doc, 66, ruleColor)
    type.setLine(textStyle(8.5, mutedColor), replaceUndrawable(place), left, pageGeometry.height - 46, {
      width: contentWidth - 90,
    })
    type.setLine(
      textStyle(8.5, mutedColor),
      `Page ${number} of ${count}`,
      left + contentWidth - 80,
      pageGeometry.height - 46,
      {
        width: 80,
        align: 'right',
      },
    )
  })
}
