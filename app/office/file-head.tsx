import type { ReactNode } from 'react'
import { formatPhone } from '../../domain/phone.ts'
import { callHref } from '../ui/phone-link.tsx'
import { Tag } from '../ui/surfaces.tsx'

/** Who it is, in one line: reached by, portal, flags. */
export function FileHead({
  who,
  portal,
  flags,
  facility,
}: {
  who: { company: string; cell: string; email: string }
  portal: { account: boolean; lastSignIn: string; emailToConfirm: string | null }
  flags: { flag: string; label: string; note: string }[]
  facility: string
}) {
  const parts: [string, ReactNode][] = [
    ['company', who.company],
    [
      'phone',
      who.cell && (
        <a className="num" href={callHref(who.cell)}>
          {formatPhone(who.cell)}
        </a>
      ),
    ],
    ['email', who.email && <a href={`mailto:${who.email}`}>{who.email}</a>],
    ['portal', portalText(portal)],
    ['facility', facility],
  ]
  return (
    <>
      <ul className="office-line">
        {parts
          .filter(([, part]) => part !== '')
          .map(([name, part]) => (
            <li key={name}>{part}</li>
          ))}
      </ul>
      {flags.length > 0 && (
        <ul className="office-flags" aria-label="Flags">
          {flags.map(({ flag, label, note }) => (
            <li key={flag}>
              <Tag tone="bad">{label}</Tag>
              {note && <span className="soft small"> {note}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function portalText({ account, lastSignIn, emailToConfirm }: Parameters<typeof FileHead>[0]['portal']): string {
  if (!account) return 'portal: no account'
  const signedIn = lastSignIn ? `portal: signed in ${lastSignIn}` : 'portal: not signed in lately'
  return emailToConfirm ? `${signedIn}, ${emailToConfirm} not confirmed yet` : signedIn
}
