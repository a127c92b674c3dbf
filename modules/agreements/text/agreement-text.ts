/** The agreement as plain text: every word of it in order, which is what page, preview and paper are all set from. */
import type { LeasePaper } from '../pdf/lease-pdf.ts'
import type { Section } from './sections.ts'

/** The same sections and paper give the same text, and no two different ones do: what is hashed as the agreement read. */
export function agreementText(sections: readonly Section[], paper: LeasePaper): string {
  const lines = [paper.title, paper.operator, paper.place, `Unit ${paper.unitNumber}`]
  for (const { heading, paragraphs } of sections) {
    lines.push('', heading)
    for (const paragraph of paragraphs) {
      if (typeof paragraph === 'string') lines.push(paragraph)
      else if ('conspicuous' in paragraph) lines.push(paragraph.conspicuous)
      else if ('table' in paragraph) {
        for (const [label, value] of paragraph.table) lines.push(`${label}: ${value}`)
        if (paragraph.sum) lines.push(`${paragraph.sum[0]}: ${paragraph.sum[1]}`)
      } else lines.push(...paragraph.list.map((item) => `- ${item}`))
    }
  }
  return `${lines.join('\n')}\n`
}
