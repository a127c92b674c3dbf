import type { Paragraph, Section } from './lease-text.ts'

function linesOf(paragraph: Paragraph): string[] {
  if (typeof paragraph === 'string') return [paragraph]
  if ('conspicuous' in paragraph) return [paragraph.conspicuous]
  if ('list' in paragraph) return paragraph.list.map((item) => `- ${item}`)
  return [...paragraph.table, ...(paragraph.sum ? [paragraph.sum] : [])].map(([label, value]) => `${label}: ${value}`)
}

/**
 * Returns the agreement as plain text, with every word of its sections, so that the hash of the text proves what was
 * read.
 */
export const agreementText = (
  sections: readonly Section[],
  paper: { title: string; operator: string; place: string; unitNumber: string },
): string =>
  [
    paper.title,
    paper.operator,
    paper.place,
    `Unit ${paper.unitNumber}`,
    ...sections.flatMap(({ heading, paragraphs }) => ['', heading, ...paragraphs.flatMap(linesOf)]),
    '',
  ].join('\n')
