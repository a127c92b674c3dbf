import type { UnitAlert } from '../../modules/leases/rules/overdue-or-sold-unit-alert.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { callHref } from '../ui/phone-link.tsx'

/** Text of a unit's alert: the problem, what follows on which day, and how to prevent it. */
export function UnitAlertText({
  alert: { title, what, days, stops },
  inReview,
  level,
}: {
  alert: UnitAlert
  /** True while a received payment is in review; the alert then asks for no payment. */
  inReview: boolean
  level: 2 | 3
}) {
  const Heading = `h${level}` as const
  return (
    <>
      <Heading>{title}</Heading>
      <p>{withNoBreakSpaces(what)}</p>
      {days.length > 0 && !inReview && (
        <ul>
          {days.map(({ is: kind, day, text }) => (
            <li key={kind}>
              <strong>{withNoBreakSpaces(day)}</strong>: {text}
            </li>
          ))}
        </ul>
      )}
      {!inReview && <p>{stops}</p>}
    </>
  )
}

/** Notice of what is wrong with a unit, such as past due or locked, with a button to call where only a call helps. */
export function UnitAlertNotice({ alert, phone, inReview }: { alert: UnitAlert; phone: string; inReview: boolean }) {
  return (
    <Callout tone={alert.is === 'late' ? 'warn' : 'error'}>
      <UnitAlertText alert={alert} inReview={inReview} level={2} />
      {alert.call && (
        <p>
          <CallButton phone={phone} />
        </p>
      )}
    </Callout>
  )
}

/** Primary button that calls the facility. */
export const CallButton = ({ phone }: { phone: string }) => (
  <LinkButton href={callHref(phone)} className="whitespace-normal">
    Call <span className="min-[18rem]:whitespace-nowrap">{phone}</span>
  </LinkButton>
)
