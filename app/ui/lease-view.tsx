import type { ReactNode } from 'react'
import type { Paragraph, Section } from '../../modules/agreements/texts/lease-text.ts'

/** Function that renders a text of an agreement, for example with non-breaking spaces. */
type RenderText = (text: string) => ReactNode

const renderUnchanged: RenderText = (text) => text

/**
 * Renders the sections of a rental agreement as HTML.
 * @param renderText renders each text except headings, labels and sums
 */
export function LeaseView({
  sections,
  headingLevel = 2,
  renderText = renderUnchanged,
}: {
  sections: Section[]
  headingLevel?: 2 | 3
  renderText?: RenderText
}) {
  const Heading = `h${headingLevel}` as const
  return (
    <article className="lease">
      {sections.map((section, index) => (
        <section key={section.id} className="lease-section" aria-labelledby={`lease-${section.id}`}>
          <Heading id={`lease-${section.id}`} className="lease-heading">
            {index + 1}. {section.heading}
          </Heading>
          {section.paragraphs.map((paragraph, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed; nothing is reordered
            <LeaseParagraph key={at} paragraph={paragraph} headingId={`lease-${section.id}`} renderText={renderText} />
          ))}
        </section>
      ))}
    </article>
  )
}

function LeaseParagraph({
  paragraph,
  headingId,
  renderText,
}: {
  paragraph: Paragraph
  headingId: string
  renderText: RenderText
}) {
  if (typeof paragraph === 'string') return <p>{renderText(paragraph)}</p>
  if ('conspicuous' in paragraph) {
    return (
      <p className="lease-conspicuous">
        <strong>{renderText(paragraph.conspicuous)}</strong>
      </p>
    )
  }
  if ('list' in paragraph) {
    return (
      <ul className="lease-list">
        {paragraph.list.map((item) => (
          <li key={item}>{renderText(item)}</li>
        ))}
      </ul>
    )
  }
  return (
    <table
      className={paragraph.kind === 'price' ? 'lease-table lease-price' : 'lease-table'}
      aria-labelledby={headingId}
    >
      <tbody>
        {paragraph.table.map(([label, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same label
          <tr key={at}>
            <th scope="row">{label}</th>
            <td>{renderText(value)}</td>
          </tr>
        ))}
      </tbody>
      {paragraph.sum && (
        <tfoot>
          <tr className="lease-sum">
            <th scope="row">{paragraph.sum[0]}</th>
            <td>{paragraph.sum[1]}</td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}
