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
  documentInfo: { title: string; operator: string; place: string; unitNumber: string },
): string =>
  [
    documentInfo.title,
    documentInfo.operator,
    documentInfo.place,
    `Unit ${documentInfo.unitNumber}`,
    ...sections.flatMap(({ heading, paragraphs }) => ['', heading, ...paragraphs.flatMap(linesOf)]),
    '',
  ].join('\n')
