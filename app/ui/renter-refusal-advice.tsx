import { useContext } from 'react'
import { useLocation } from 'react-router'
import { LinkButton } from './buttons.tsx'
import { callHref, phonePattern } from './phone-link.tsx'
import { ChargeStatementContext, OtherPaymentMethodContext, PhoneContext } from './refusal-advice-react-contexts.ts'
import { findRefusalAdvice } from './refusal-advice-texts.ts'

/** Advice to a renter for a refusal; none in the office. Browsers load it together with the table of refusals. */
export function RenterRefusalAdvice({ sentence }: { sentence: string }) {
  const pagePhone = useContext(PhoneContext)
  const otherWay = useContext(OtherPaymentMethodContext)
  const { pathname } = useLocation()
  const refusal = findRefusalAdvice(sentence, useContext(ChargeStatementContext))
  if (!refusal || /^\/office(\/|$)/.test(pathname)) return null
  const phone = phonePattern.exec(sentence)?.[0] ?? pagePhone
  const links = refusal.leadsTo.flatMap((step) => {
    if (step === 'call') return phone ? [{ label: `Call ${phone}`, href: callHref(phone) }] : []
    if (step === 'other way') return otherWay ? [{ label: 'Pay another way', href: otherWay }] : []
    return step.href === pathname ? [] : [step]
  })
  return (
    <>
      <p className="mt-1">{refusal.means}</p>
      {links.length > 0 && (
        <p className="mt-3 flex flex-wrap gap-3">
          {links.map(({ label, href }) => (
            <LinkButton key={href} kind="secondary" href={href}>
              {label}
            </LinkButton>
          ))}
        </p>
      )}
    </>
  )
}
