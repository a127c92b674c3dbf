import type { Paragraph } from '../text/lease-text.ts'
import { drawable } from './fonts.ts'
import { door, drawRule, ink, line, soft, wash } from './look.ts'
import { type Element, sheet, sheetWidth, type TaggedPdf } from './tagged-pdf.ts'
import type { Block, Style, Typesetter } from './typesetter.ts'

export interface LeaseCanvas extends TaggedPdf {
  type: Typesetter
}

const { left } = sheet
const labelWidth = 132

export const text = (size: number, colour: string): Style => ({ face: 'text', size, colour })
export const bold = (size: number, colour: string): Style => ({ face: 'bold', size, colour })
export const body: Block = { width: sheetWidth, lineGap: 2.2 }

export function drawParagraph(on: LeaseCanvas, parent: Element, paragraph: Paragraph): void {
  if (typeof paragraph === 'string') drawText(on, parent, paragraph)
  else if ('conspicuous' in paragraph) drawConspicuous(on, parent, paragraph.conspicuous)
  else if ('list' in paragraph) drawList(on, parent, paragraph.list)
  else drawTable(on, parent, paragraph)
}

function drawText({ doc, element, keep, type }: LeaseCanvas, parent: Element, words: string): void {
  keep(24)
  element(parent, 'P', () => type.set(text(9.5, ink), drawable(words), left, doc.y, body)).end()
  doc.y += 5
}

function drawConspicuous({ doc, element, artifact, keep, type }: LeaseCanvas, parent: Element, of: string): void {
  const words = drawable(of)
  const inner = { width: sheetWidth - 28, lineGap: 2.5 }
  const height = type.height(bold(10.5, ink), words, inner) + 16
  keep(height + 6)
  const top = doc.y + 2
  artifact(() => {
    doc.rect(left, top, sheetWidth, height).fill(wash)
    doc.rect(left, top, 4, height).fill(door)
  })
  element(parent, 'P', () => type.set(bold(10.5, ink), words, left + 16, top + 8, inner)).end()
  doc.y = top + height + 8
}

function drawList({ doc, element, keep, type }: LeaseCanvas, parent: Element, items: string[]): void {
  const list = element(parent, 'L')
  for (const item of items) {
    keep(16)
    const row = element(list, 'LI')
    const top = doc.y
    element(row, 'Lbl', () => type.set(text(9.5, ink), '•', left + 4, top, { width: 10 })).end()
    element(row, 'LBody', () =>
      type.set(text(9.5, ink), drawable(item), left + 16, top, { width: sheetWidth - 16, lineGap: 2.2 }),
    ).end()
    row.end()
    doc.y += 2.5
  }
  list.end()
  doc.y += 3
}

function drawTable(
  on: LeaseCanvas,
  parent: Element,
  { table, sum, kind }: Extract<Paragraph, { table: unknown }>,
): void {
  const { doc, element, artifact } = on
  const all = sum ? [...table, sum] : table
  const structure = element(parent, 'Table')
  doc.y += 2
  all.forEach((cells, index) => {
    drawRow(on, structure, cells, {
      price: kind === 'price',
      isSum: sum !== undefined && index === all.length - 1,
      // Keeps the last row with the sum, so that no page begins with the sum alone.
      below: sum && index === all.length - 2 ? 22 : 0,
    })
    if (index < table.length - 1) artifact(() => drawRule(doc, doc.y, line))
  })
  structure.end()
  doc.y += 7
}

/**
 * Draws a table row.
 * @param as `below`: points that must fit on the page beneath the row
 */
function drawRow(
  { doc, element, artifact, keep, type }: LeaseCanvas,
  table: Element,
  [label, value]: [string, string],
  { price, isSum, below }: { price: boolean; isSum: boolean; below: number },
): void {
  const size = isSum ? 11 : 9.5
  const labelStyle = isSum ? bold(size, ink) : text(size, price ? ink : soft)
  const valueStyle = price ? { ...(isSum ? bold(size, ink) : text(size, ink)), tabular: true } : text(size, ink)
  const [labelText, valueText] = [drawable(label), drawable(value)]
  const valueWidth = price ? 82 : sheetWidth - labelWidth - 8
  const labelBlock = { width: price ? sheetWidth - 90 : labelWidth, lineGap: 1.5 }
  const valueBlock = { width: valueWidth, lineGap: 1.5, align: price ? ('right' as const) : ('left' as const) }
  const height =
    Math.max(type.height(labelStyle, labelText, labelBlock), type.height(valueStyle, valueText, valueBlock)) + 7
  keep(height + below)
  const top = doc.y
  if (isSum) artifact(() => drawRule(doc, top, ink, 0.9))
  const textTop = top + 3.5 + (isSum ? 1 : 0)
  const row = element(table, 'TR')
  element(row, 'TH', () => type.set(labelStyle, labelText, left, textTop, labelBlock)).end()
  element(row, 'TD', () => type.set(valueStyle, valueText, left + sheetWidth - valueWidth, textTop, valueBlock)).end()
  row.end()
  doc.y = top + height + (isSum ? 2 : 0)
}
