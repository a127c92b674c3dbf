import type { Trouble } from '../../modules/leases/rules/unit-alerts.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { unbroken } from '../ui/no-break.ts'
import { callHref } from '../ui/phone-link.tsx'
import { Callout } from '../ui/surfaces.tsx'

/**
 * Notice of what is wrong with a unit, such as past due or lien, and what helps.
 * @param inReview true while a received payment is reviewed; the notice then asks for no other
 */
export function TroubleNotice({
  trouble,
  phone,
  inReview,
  level = 2,
  className = '',
}: {
  trouble: Trouble
  phone: string
  inReview: boolean
  level?: 2 | 3
  className?: string
}) {
  const { is, title, what, days, stops, call } = trouble
  return (
    <Callout className={className} tone={is === 'late' ? 'warn' : 'error'} title={title} level={level}>
      <p>{unbroken(what)}</p>
      {days.length > 0 && !inReview && (
        <ul>
          {days.map(({ is: next, day, text }) => (
            <li key={next}>
              <strong>{unbroken(day)}</strong>: {text}
            </li>
          ))}
        </ul>
      )}
      {!inReview && <p>{stops}</p>}
      {call && (
        <p>
          <LinkButton href={callHref(phone)} kind="primary" className="whitespace-normal">
            Call <span className="min-[18rem]:whitespace-nowrap">{phone}</span>
          </LinkButton>
        </p>
      )}
    </Callout>
  )
}
