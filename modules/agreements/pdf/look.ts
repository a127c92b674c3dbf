import { sheet, sheetWidth, type TaggedPdf } from './tagged-pdf.ts'

export const ink = '#14191C'
export const soft = '#5A646A'
export const line = '#E3DFD5'
export const wash = '#F3EFE4'
export const door = '#FFC83D'
const doorEdge = '#F0B21E'

export function drawDoor({ doc, artifact }: TaggedPdf): void {
  const { left, top } = sheet
  artifact(() => {
    doc.save().roundedRect(left, top, sheetWidth, 22, 4).clip()
    doc.rect(left, top, sheetWidth, 22).fill(door)
    for (let y = 5.5; y < 22; y += 5.5) doc.rect(left, top + y, sheetWidth, 0.9).fill(doorEdge)
    doc.restore()
  })
  doc.y = top + 38
}

export function drawRule(doc: PDFKit.PDFDocument, y: number, colour: string, width = 0.6): void {
  doc
    .moveTo(sheet.left, y)
    .lineTo(sheet.left + sheetWidth, y)
    .lineWidth(width)
    .stroke(colour)
}

export function drawMark(doc: PDFKit.PDFDocument, x: number, y: number): void {
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
