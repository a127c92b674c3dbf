import '../styles/form-pages.css'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { formatCents } from './money.tsx'
import { withNoBreakSpaces } from './no-break.ts'

interface PriceLine {
  label: string
  /** Amount in cents; negative for a discount. */
  cents: number
  explain?: ReactNode
}

/**
 * Price summary: the lines of a total and, if given, the price per month after it.
 * @param perMonth amount in cents; its `note` continues 'per month'
 * @param hold usually a `<Countdown/>`
 */
export function PriceSummary({
  title,
  subtitle,
  lines,
  totalLabel = 'Due today',
  totalCents,
  perMonth,
  hold,
  freeToday,
  children,
}: {
  title?: ReactNode
  subtitle?: ReactNode
  lines: PriceLine[]
  totalLabel?: string
  totalCents: number
  perMonth?: { cents: number; note: ReactNode }
  hold?: ReactNode
  /** True when nothing is due today; `totalLabel` then names the day on which the total is due. */
  freeToday?: boolean
  children?: ReactNode
}) {
  return (
    <section aria-label={totalLabel}>
      {title && <h2 className="text-lead">{title}</h2>}
      {subtitle && <p className="soft small">{withNoBreakSpaces(subtitle)}</p>}
      {freeToday && (
        <p className="mt-3 flex justify-between font-bold">
          Due today <span className="num">{formatCents(0)}</span>
        </p>
      )}
      <table className="sum mt-3">
        <caption className="sr">{totalLabel}, line by line</caption>
        <tbody>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two taxes may share a label; lines never reorder
            <tr key={index}>
              <th scope="row">
                {line.explain ? (
                  <details>
                    <summary>{line.label}</summary>
                    <p>{withNoBreakSpaces(line.explain)}</p>
                  </details>
                ) : (
                  line.label
                )}
              </th>
              <td className={`num${line.cents < 0 ? ' less' : ''}`}>{formatCents(line.cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{totalLabel}</th>
            <td className="num">{formatCents(totalCents)}</td>
          </tr>
        </tfoot>
      </table>
      {perMonth && (
        <p className="small mt-2">
          Then <strong className="num">{formatCents(perMonth.cents)}</strong> per month,{' '}
          {withNoBreakSpaces(perMonth.note)}
        </p>
      )}
      {hold && (
        <p className="small soft mt-3">
          <Icon name="clock" /> {hold}
        </p>
      )}
      {children}
    </section>
  )
}
