import type { PriceChange } from '../../modules/pricing/rules/changed-price-of-quote-type.ts'
import { Callout } from './card-tag-and-callout.tsx'
import { formatCents } from './money.tsx'

/**
 * Says that a price has changed: each changed line and the new total. Without changes, says that the price was shown a
 * while ago and still holds.
 */
export function PriceChanged({
  changes,
  total,
  label = 'Due today',
}: {
  changes: PriceChange[]
  total: number
  /** Label of the total. */
  label?: string
}) {
  return (
    <Callout tone="warn" live title={changes.length > 0 ? 'The price has changed' : 'The price was shown a while ago'}>
      {changes.length > 0 ? (
        <ul>
          {changes.map(({ label, before, now }) => (
            <li key={label}>
              {label}
              {before !== null && now !== null && (
                <>
                  : {formatCents(now)} instead of {formatCents(before)}
                </>
              )}
              {before === null && now !== null && `: ${formatCents(now)}, new`}
              {before !== null && now === null && `: no longer ${formatCents(before)}`}
            </li>
          ))}
        </ul>
      ) : (
        <p>It still holds, and we ask again to be sure.</p>
      )}
      <p>
        {label}: <strong className="num">{formatCents(total)}</strong>.
      </p>
    </Callout>
  )
}
