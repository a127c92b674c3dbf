import { contentWidth, pageGeometry, type TaggedPdf } from './tagged-pdf.ts'

export const inkColor = '#14191C'
export const mutedColor = '#5A646A'
export const ruleColor = '#E3DFD5'
export const tintColor = '#F3EFE4'
export const doorColor = '#FFC83D'
const doorEdge = '#F0B21E'

/** Draws a roll-up door across the top of a page, as decoration. */
export function drawDoor({ doc, artifact }: TaggedPdf): void {
  const { left, top } = pageGeometry
  artifact(() => {
    doc.save().roundedRect(left, top, contentWidth, 22, 4).clip()
    doc.rect(left, top, contentWidth, 22).fill(doorColor)
    for (let y = 5.5; y < 22; y += 5.5) doc.rect(left, top + y, contentWidth, 0.9).fill(doorEdge)
    doc.restore()
  })
  doc.y = top + 38
}

/** Draws a horizontal line across the page at `y` points. */
export function drawRule(doc: PDFKit.PDFDocument, y: number, color: string, width = 0.6): void {
  doc
    .moveTo(pageGeometry.left, y)
    .lineTo(pageGeometry.left + contentWidth, y)
    .lineWidth(width)
    .stroke(color)
}

export function drawLogoMark(doc: PDFKit.PDFDocument, x: number, y: number): void {
  doc
    .roundedRect(x + 1, y + 1, 18, 18, 4)
    .lineWidth(2)
    .fillAndStroke(doorColor, inkColor)
  doc
    .lineWidth(1.6)
    .moveTo(x + 5, y + 6.5)
    .lineTo(x + 15, y + 6.5)
    .stroke(inkColor)
  doc
    .moveTo(x + 5, y + 10)
    .lineTo(x + 15, y + 10)
    .stroke(inkColor)
  doc.circle(x + 10, y + 14.4, 1.5).fill(inkColor)
}
