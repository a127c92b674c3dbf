import { withNoBreakSpaces } from './no-break.ts'

export const callHref = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={callHref(phone)} className="num">
      {phone}
    </a>
  )
}

/** Shows a specified sentence unchanged and turns the phone number in it, '(404) 555-0114', into a link. */
export function WithPhoneLink({ children }: { children: string }) {
  const [before = '', phone, after] = children.split(/(\(\d{3}\) \d{3}-\d{4})/)
  return (
    <>
      {withNoBreakSpaces(before)}
      {phone && <PhoneLink phone={phone} />}
      {withNoBreakSpaces(after)}
    </>
  )
}
