import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { Button } from '../ui/buttons.tsx'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import { callHref } from '../ui/phone-link.tsx'

/** Head of a tenant's page: contact, online account, flags. */
export function TenantHeader({
  who,
  texts,
  mayWrite,
  portal,
  flags,
  facility,
}: {
  who: { company: string; cell: string; email: string }
  /** Consent to text messages: 'fixed' when only a text START from the phone turns them on again; null without a phone. */
  texts: 'on' | 'off' | 'fixed' | null
  mayWrite: boolean
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
    ['texts', texts && <Texts texts={texts} mayWrite={mayWrite} />],
    [
      'email',
      who.email && (
        <a className="wrap-anywhere" href={`mailto:${who.email}`}>
          {who.email}
        </a>
      ),
    ],
    ['portal', portalText(portal)],
    ['facility', facility],
  ]
  return (
    <>
      <ul className="office-line flex flex-wrap items-baseline gap-y-[0.15rem] text-soft">
        {parts
          .filter(([, part]) => part !== '' && part !== null)
          .map(([name, part]) => (
            <li key={name}>{part}</li>
          ))}
      </ul>
      {flags.length > 0 && (
        <ul className="mt-[0.35rem] flex flex-wrap gap-x-4 gap-y-[0.3rem]" aria-label="Flags">
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

/** Consent to text messages, with a button that records that the tenant wants no more of them. */
function Texts({ texts, mayWrite }: { texts: 'on' | 'off' | 'fixed'; mayWrite: boolean }) {
  if (texts === 'fixed') return 'no more texts'
  return (
    <Form method="post" className="inline" preventScrollReset>
      {texts === 'on' ? 'texts: agreed' : 'texts: not agreed'}
      {mayWrite && (
        <>
          {' '}
          <Button kind="link" className="leading-[inherit]" name="intent" value="stop-texts">
            No more texts
          </Button>
        </>
      )}
    </Form>
  )
}

function portalText({ account, lastSignIn, emailToConfirm }: Parameters<typeof TenantHeader>[0]['portal']): string {
  if (!account) return 'portal: no account'
  const signedIn = lastSignIn ? `portal: signed in ${lastSignIn}` : 'portal: not signed in lately'
  return emailToConfirm ? `${signedIn}, ${emailToConfirm} not confirmed yet` : signedIn
}
