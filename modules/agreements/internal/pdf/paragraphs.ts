import type { Paragraph } from '../../texts/lease-text.ts'
import { replaceUndrawable } from './fonts.ts'
import { doorColor, drawRule, inkColor, mutedColor, ruleColor, tintColor } from './pdf-brand.ts'
import { contentWidth, type Element, pageGeometry, type TaggedPdf } from './tagged-pdf.ts'
import type { Block, Style, Typesetter } from './typesetter.ts'

export interface LeaseCanvas extends TaggedPdf {
  type: Typesetter
}

const { left } = pageGeometry
const labelWidth = 132

export const textStyle = (size: number, color: string): Style => ({ face: 'text', size, color })
export const boldStyle = (size: number, color: string): Style => ({ face: 'bold', size, color })
export const bodyBlock: Block = { width: contentWidth, lineGap: 2.2 }

/** Draws a paragraph of the agreement: text, text that stands out, a list or a table. */
export function drawParagraph(canvas: LeaseCanvas, parent: Element, paragraph: Paragraph): void {
  if (typeof paragraph === 'string') drawText(canvas, parent, paragraph)
  else if ('conspicuous' in paragraph) drawConspicuous(canvas, parent, paragraph.conspicuous)
  else if ('list' in paragraph) drawList(canvas, parent, paragraph.list)
  else drawTable(canvas, parent, paragraph)
}

function drawText({ doc, element, ensureSpace, type }: LeaseCanvas, parent: Element, words: string): void {
  ensureSpace(24)
  element(parent, 'P', () => type.set(textStyle(9.5, inkColor), replaceUndrawable(words), left, doc.y, bodyBlock)).end()
  doc.y += 5
}

function drawConspicuous(
  { doc, element, artifact, ensureSpace, type }: LeaseCanvas,
  parent: Element,
  text: string,
): void {
  const words = replaceUndrawable(text)
  const inner = { width: contentWidth - 28, lineGap: 2.5 }
  const height = type.height(boldStyle(10.5, inkColor), words, inner) + 16
  ensureSpace(height + 6)
  const top = doc.y + 2
  artifact(() => {
    doc.rect(left, top, contentWidth, height).fill(tintColor)
    doc.rect(left, top, 4, height).fill(doorColor)
  })
  element(parent, 'P', () => type.set(boldStyle(10.5, inkColor), words, left + 16, top + 8, inner)).end()
  doc.y = top + height + 8
}

function drawList({ doc, element, ensureSpace, type }: LeaseCanvas, parent: Element, items: string[]): void {
  const list = element(parent, 'L')
  for (const item of items) {
    ensureSpace(16)
    const row = element(list, 'LI')
    const top = doc.y
    element(row, 'Lbl', () => type.set(textStyle(9.5, inkColor), '•', left + 4, top, { width: 10 })).end()
    element(row, 'LBody', () =>
      type.set(textStyle(9.5, inkColor), replaceUndrawable(item), left + 16, top, {
        width: contentWidth - 16,
        lineGap: 2.2,
      }),
    ).end()
    row.end()
    doc.y += 2.5
  }
  list.end()
  doc.y += 3
}

function drawTable(
  canvas: LeaseCanvas,
  parent: Element,
  { table, sum, kind }: Extract<Paragraph, { table: unknown }>,
): void {
  const { doc, element, artifact } = canvas
  const rows = sum ? [...table, sum] : table
  const structure = element(parent, 'Table')
  doc.y += 2
  rows.forEach((cells, index) => {
    drawRow(canvas, structure, cells, {
      isPrice: kind === 'price',
      isSum: sum !== undefined && index === rows.length - 1,
      // The last row stays with the sum, so that no page begins with the sum alone.
      heightBelow: sum && index === rows.length - 2 ? 22 : 0,
    })
    if (index < table.length - 1) artifact(() => drawRule(doc, doc.y, ruleColor))
  })
  structure.end()
  doc.y += 7
}

/**
 * Draws a row with label and value in a table of the lease PDF.
 * @param options `isPrice` styles the value as an amount, `isSum` emphasizes it; `heightBelow`: points that must fit on
 *   the page beneath the row
 */
function drawRow(
  { doc, element, artifact, ensureSpace, type }: LeaseCanvas,
  table: Element,
  [label, value]: [string, string],
  { isPrice, isSum, heightBelow }: { isPrice: boolean; isSum: boolean; heightBelow: number },
): void {
  const size = isSum ? 11 : 9.5
  const labelStyle = isSum ? boldStyle(size, inkColor) : textStyle(size, isPrice ? inkColor : mutedColor)
  const valueStyle = isPrice
    ? { ...(isSum ? boldStyle(size, inkColor) : textStyle(size, inkColor)), tabular: true }
    : textStyle(size, inkColor)
  const labelText = replaceUndrawable(label)
  const valueText = replaceUndrawable(value)
  const valueWidth = isPrice ? 82 : contentWidth - labelWidth - 8
  const labelBlock = { width: isPrice ? contentWidth - 90 : labelWidth, lineGap: 1.5 }
  const valueBlock = { width: valueWidth, lineGap: 1.5, align: isPrice ? ('right' as const) : ('left' as const) }
  const height =
    Math.max(type.height(labelStyle, labelText, labelBlock), type.height(valueStyle, valueText, valueBlock)) + 7
  ensureSpace(height + heightBelow)
  const top = doc.y
  if (isSum) artifact(() => drawRule(doc, top, inkColor, 0.9))
  const textTop = top + 3.5 + (isSum ? 1 : 0)
  const row = element(table, 'TR')
  element(row, 'TH', () => type.set(labelStyle, labelText, left, textTop, labelBlock)).end()
  element(row, 'TD', () => type.set(valueStyle, valueText, left + contentWidth - valueWidth, textTop, valueBlock)).end()
  row.end()
  doc.y = top + height + (isSum ? 2 : 0)
}
