import { withNoBreakSpaces } from './no-break.ts'

export const callHref = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`

/** Matches a phone number in a sentence, such as '(404) 555-0114'. */
export const phonePattern = /\(\d{3}\) \d{3}-\d{4}/

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={callHref(phone)} className="num">
      {phone}
    </a>
  )
}

/** Shows a sentence word for word and turns each phone number in it, such as '(404) 555-0114', into a link. */
export function WithPhoneLink({ children }: { children: string }) {
  const [phone] = phonePattern.exec(children) ?? []
  if (!phone) return withNoBreakSpaces(children)
  const [before, ...after] = children.split(phone)
  return (
    <>
      {withNoBreakSpaces(before)}
      <PhoneLink phone={phone} />
      <WithPhoneLink>{after.join(phone)}</WithPhoneLink>
    </>
  )
}
