import { formatPhone } from '../../../domain/phone.ts'
import { type Face, registerFaces, replaceUndrawable } from '../internal/pdf/fonts.ts'
import {
  drawDoor,
  drawLogoMark,
  drawRule,
  inkColor,
  mutedColor,
  ruleColor,
  tintColor,
} from '../internal/pdf/pdf-brand.ts'
import { contentWidth, type Element, pageGeometry, type TaggedPdf, taggedPdf } from '../internal/pdf/tagged-pdf.ts'
import { splitPlanTerms } from '../texts/split-shared-insurance-plan-sentences.ts'

export interface BrochureContent {
  operator: {
    name: string
    phone: string
  }
  /**
   * Insurance plans: coverage and premium (per period of 30 days) in cents; `terminology` states what the plan covers,
   * in sentences.
   */
  schemes: { scheme_name: string; coverage: number; premium: number; terminology: string }[]
}

/** Date of the brochure's text. Change it with the text; it is part of the file's bytes. */
const edition = Date.UTC(2026, 10, 1)

const { left } = pageGeometry
const width = contentWidth
const body = { width, lineGap: 2.6 }
const title = 'Protection for what you store'

const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })

/** Draws the brochure of the insurance plans as an accessible PDF. */
export async function brochurePdf({ operator, schemes }: BrochureContent): Promise<Uint8Array> {
  const file = await taggedPdf({
    Title: title,
    Author: operator.name,
    Subject: 'Tenant protection plans',
    CreationDate: new Date(edition),
  })
  registerFaces(file.doc)
  const canvas = { ...file, ...textWriter(file) }
  const root = file.begin()
  drawTitle(canvas, root, operator.name)
  drawPlans(canvas, root, schemes)
  drawCoverage(canvas, root, schemes)
  drawClaims(canvas, root, operator)
  drawOwnPolicy(canvas, root)
  root.end()
  drawHeadAndFoot(canvas, operator)
  return file.finish()
}

function textWriter({ doc, element, ensureSpace }: TaggedPdf) {
  const set = (face: Face, size: number, color: string) => doc.font(face).fontSize(size).fillColor(color)
  return {
    set,
    heading(parent: Element, words: string): void {
      ensureSpace(80)
      doc.y += 16
      element(parent, 'H2', () =>
        set('bold', 14, inkColor).text(replaceUndrawable(words), left, doc.y, { width }),
      ).end()
      doc.y += 5
    },
    paragraph(parent: Element, words: string): void {
      const text = replaceUndrawable(words)
      ensureSpace(Math.min(set('text', 10.5, inkColor).heightOfString(text, body), 60))
      element(parent, 'P', () => set('text', 10.5, inkColor).text(text, left, doc.y, body)).end()
      doc.y += 6
    },
    list(parent: Element, items: string[], label: (index: number) => string): void {
      const list = element(parent, 'L')
      items.forEach((item, index) => {
        const text = replaceUndrawable(item)
        const inner = { width: width - 22, lineGap: 2.6 }
        ensureSpace(set('text', 10.5, inkColor).heightOfString(text, inner))
        const y = doc.y
        const row = element(list, 'LI')
        element(row, 'Lbl', () => set('bold', 10.5, inkColor).text(label(index), left + 2, y, { width: 18 })).end()
        element(row, 'LBody', () => set('text', 10.5, inkColor).text(text, left + 22, y, inner)).end()
        row.end()
        doc.y += 5
      })
      list.end()
    },
  }
}

type Canvas = TaggedPdf & ReturnType<typeof textWriter>

function drawTitle(canvas: Canvas, root: Element, operatorName: string): void {
  const { doc, element, set } = canvas
  drawDoor(canvas)
  element(root, 'H1', () => set('bold', 26, inkColor).text(title, left, doc.y, { width })).end()
  doc.y += 4
  const lead = `The walls and the gate are ours, the things behind the door are yours. ${operatorName} does not insure them; a protection plan, or a policy of your own, does.`
  element(root, 'P', () =>
    set('text', 12, mutedColor).text(replaceUndrawable(lead), left, doc.y, { width, lineGap: 3 }),
  ).end()
}

const columns = [
  { label: 'Plan', x: left + 12, width: width * 0.46, align: 'left' },
  { label: 'Pays up to', x: left + width * 0.5, width: width * 0.2, align: 'right' },
  { label: 'Every 30 days', x: left + width * 0.72, width: width * 0.28 - 12, align: 'right' },
] as const

function drawPlans(canvas: Canvas, root: Element, schemes: BrochureContent['schemes']): void {
  const { doc, element, artifact } = canvas
  const part = element(root, 'Sect')
  canvas.heading(part, 'The plans')
  const table = element(part, 'Table')
  artifact(() => doc.rect(left, doc.y, width, 26).fill(tintColor))
  const labels = columns.map(({ label }) => label)
  drawRow(canvas, table, labels, { tag: 'TH', size: 9.5, color: mutedColor })
  for (const { scheme_name, coverage, premium } of schemes)
    drawRow(canvas, table, [scheme_name, dollars(coverage), dollars(premium)], { tag: 'TD', size: 12, color: inkColor })
  table.end()
  doc.y += 8
  canvas.paragraph(
    part,
    'The price is for one unit and one period of 30 days. It is charged with your rent; tax on it, where there is any, is shown in your total before you pay.',
  )
  part.end()
}

/**
 * Draws a row of the table in the PDF. The first cell is the row's header.
 * @param style `tag` is the PDF tag of the other cells, `size` the font size of all in points
 */
function drawRow(
  { doc, element, artifact, ensureSpace, set }: Canvas,
  table: Element,
  cells: string[],
  { tag, size, color }: { tag: 'TH' | 'TD'; size: number; color: string },
): void {
  const texts = cells.map(replaceUndrawable)
  set('bold', size, color)
  const height =
    Math.max(...texts.map((text, index) => doc.heightOfString(text, { width: columns[index]!.width }))) + 14
  ensureSpace(height)
  const y = doc.y
  const row = element(table, 'TR')
  texts.forEach((text, index) => {
    const column = columns[index]!
    element(row, index === 0 ? 'TH' : tag, () =>
      set('bold', size, color).text(text, column.x, y + 7, {
        width: column.width,
        align: column.align,
        ...(index > 0 ? { features: ['tnum'] } : {}),
      }),
    ).end()
  })
  row.end()
  doc.y = y + height
  artifact(() => drawRule(doc, doc.y, ruleColor))
}

function drawCoverage(canvas: Canvas, root: Element, schemes: BrochureContent['schemes']): void {
  const { doc, element, ensureSpace, set } = canvas
  const terms = splitPlanTerms(schemes)
  const part = element(root, 'Sect')
  canvas.heading(part, 'What is covered')
  schemes.forEach(({ scheme_name }, index) => {
    const own = terms.own[index]!
    if (own.length === 0) return
    const name = replaceUndrawable(scheme_name)
    ensureSpace(set('bold', 10.5, inkColor).heightOfString(name, body) + 30)
    element(part, 'H3', () => set('bold', 10.5, inkColor).text(name, left, doc.y, body)).end()
    doc.y += 1
    canvas.paragraph(part, own.join(' '))
  })
  if (terms.shared.length > 0) {
    const intro = 'For every plan:'
    element(part, 'P', () => set('bold', 10.5, inkColor).text(intro, left, doc.y, body)).end()
    doc.y += 4
    canvas.list(part, terms.shared, () => '•')
  }
  part.end()
}

function drawClaims(canvas: Canvas, root: Element, { name, phone }: BrochureContent['operator']): void {
  const part = canvas.element(root, 'Sect')
  canvas.heading(part, 'How to claim')
  canvas.list(
    part,
    [
      'Make it safe and take pictures before you move anything: the unit, the lock, and each thing that is damaged.',
      'After a burglary, report it to the police first and ask for the number of the report.',
      `Call ${name} at ${formatPhone(phone)}. Have your name and unit number ready; we tell you where to send the claim and what belongs in it.`,
      'Make a list of what is lost or damaged, with its age and what it cost, and add receipts or pictures where you have them. Keep damaged things until the claim is settled.',
    ],
    (index) => `${index + 1}.`,
  )
  part.end()
}

function drawOwnPolicy(canvas: Canvas, root: Element): void {
  const part = canvas.element(root, 'Sect')
  canvas.heading(part, 'Do you have a policy already?')
  canvas.paragraph(
    part,
    'Homeowner’s and renter’s policies often cover things in storage, sometimes for less than at home. If yours does, choose “I have my own coverage” and give us the company, the policy number and the date it ends. You pay us nothing for protection then. Ask your insurer how much it pays for things kept away from home, and what the deductible is.',
  )
  part.end()
}

function drawHeadAndFoot({ doc, frame, set }: Canvas, { name, phone }: BrochureContent['operator']): void {
  frame((number, count) => {
    drawLogoMark(doc, left, 36)
    const nameOptions = { width: width / 2 - 40, height: 16, ellipsis: true }
    set('bold', 12.5, inkColor).text(replaceUndrawable(name), left + 28, 39.5, nameOptions)
    set('text', 8.5, mutedColor).text('Tenant protection', left + width / 2, 43, { width: width / 2, align: 'right' })
    drawRule(doc, 66, ruleColor)
    const foot = pageGeometry.height - 46
    set('text', 8.5, mutedColor).text(`Questions? ${formatPhone(phone)}`, left, foot, { width: width - 90, height: 12 })
    doc.text(`Page ${number} of ${count}`, left + width - 80, foot, { width: 80, align: 'right' })
  })
}
