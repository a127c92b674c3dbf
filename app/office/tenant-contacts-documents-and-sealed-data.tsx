import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { Button } from '../ui/buttons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { callHref } from '../ui/phone-link.tsx'
import { Section } from './office-page-heading-and-sections.tsx'
import { type TenantPageKey, tenantPath } from './tenant-paths.ts'

interface RevealedValue {
  what: string
  lease: number | null
  lines: [label: string, value: string][]
}

const phoneLink = (digits: string): ReactNode =>
  digits && (
    <a className="num" href={callHref(digits)}>
      {formatPhone(digits)}
    </a>
  )

/**
 * Section of a tenant's page in the office with facts that are needed rarely: further contact data, reservations,
 * documents and encrypted data.
 */
export function TenantDetailsSection({
  tenantKey,
  who,
  documents,
  reservations,
  sensitive,
  revealed,
}: {
  tenantKey: TenantPageKey
  who: {
    home: string
    work: string
    company: string
    companyPhone: string
    companyEmail: string
    address: string[]
    since: string
  }
  documents: { id: string; kind: string; name: string; at: string; state: string }[]
  reservations: { code: string; unit: string; on: string; until: string }[]
  sensitive: { what: string; lease: number | null; label: string }[]
  revealed: RevealedValue | null
}) {
  const facts: [string, ReactNode][] = [
    ['Tenant', withNoBreakSpaces(`${tenantKey.tenant}, since ${who.since}`)],
    ['Address', who.address.join(', ')],
    ['Home', phoneLink(who.home)],
    ['Work', phoneLink(who.work)],
    ['Company', who.company],
    ['Company phone', phoneLink(who.companyPhone)],
    ['Company e-mail', who.companyEmail && <a href={`mailto:${who.companyEmail}`}>{who.companyEmail}</a>],
  ]
  return (
    <aside className="lg:max-[80rem]:col-span-full">
      <Section title="Details">
        <FactList facts={facts} />
      </Section>
      {reservations.length > 0 && (
        <Section title="Reservation">
          <ul>
            {reservations.map((reservation) => (
              <li key={reservation.code} className="py-[0.2rem]">
                {reservation.unit} for {reservation.on}, held until {reservation.until}{' '}
                <span className="soft num">{reservation.code}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Documents tenantKey={tenantKey} documents={documents} />
      {sensitive.length > 0 && (
        <Section title="Sealed">
          <ul>
            {sensitive.map((entry) => (
              <li key={`${entry.what} ${entry.lease}`} className="py-[0.2rem]">
                {revealed && revealed.what === entry.what && revealed.lease === entry.lease ? (
                  <div role="status">
                    <FactList facts={revealed.lines} valueClass="num" />
                  </div>
                ) : (
                  <Form method="post" className="flex items-center justify-between" preventScrollReset>
                    <input type="hidden" name="what" value={entry.what} />
                    {entry.lease !== null && <input type="hidden" name="lease" value={entry.lease} />}
                    {entry.label}{' '}
                    <Button kind="quiet" name="intent" value="show" aria-label={`Show ${entry.label.toLowerCase()}`}>
                      Show
                    </Button>
                  </Form>
                )}
              </li>
            ))}
          </ul>
          <p className="small soft">Each look is kept in the audit.</p>
        </Section>
      )}
    </aside>
  )
}

export function Documents({
  tenantKey,
  documents,
}: {
  tenantKey: TenantPageKey
  documents: { id: string; kind: string; name: string; at: string; state: string }[]
}) {
  if (documents.length === 0) return null
  return (
    <Section title="Documents" count={documents.length}>
      <ul>
        {documents.map((document) => (
          <li key={document.id} className="py-[0.2rem]">
            <a href={`${tenantPath(tenantKey)}/documents/${document.kind}/${document.id}`}>{document.name}</a>{' '}
            <span className="soft">
              {document.state}, {document.at}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** List of labeled facts; those without a value are left out. */
export const FactList = ({
  facts,
  valueClass,
}: {
  facts: readonly (readonly [label: string, value: ReactNode])[]
  valueClass?: string
}) => (
  <dl>
    {facts
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div
          key={label}
          className="grid grid-cols-[minmax(7rem,2fr)_5fr] gap-x-3 py-[0.2rem] max-[20.01rem]:grid-cols-[minmax(0,1fr)]"
        >
          <dt className="text-soft">{label}</dt>
          <dd className={valueClass}>{value}</dd>
        </div>
      ))}
  </dl>
)
