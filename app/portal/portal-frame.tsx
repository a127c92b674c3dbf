import '../styles/form-pages.css'
import { type ReactNode, useState } from 'react'
import { Form } from 'react-router'
import { informationMissing } from '../../domain/texts/account.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Frame } from '../ui/document-frame.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { PageFrame } from '../ui/page.tsx'
import { SideMenu } from '../ui/side-menu.tsx'
import type { PortalFrameData } from './open-portal-page.ts'

/**
 * Frame of a page of a tenant's account.
 * @param path path of the page, to show the choice between the tenant's facilities
 */
export function PortalFrame({
  chrome,
  title,
  wrong,
  lead,
  back,
  backLabel,
  path,
  children,
}: {
  chrome: PortalFrameData
  title: string
  wrong?: boolean | undefined
  lead?: ReactNode
  back?: string
  backLabel?: string
  path?: string
  children: ReactNode
}) {
  const { at, facility, facilities, missing } = chrome
  const [framedLink, setFramedLink] = useState<{ label: string; href: string } | null>(null)
  return (
    <PageFrame title={title} brand={chrome.brand} wrong={wrong}>
      <SideMenu
        label="Your account"
        links={chrome.menu.map((link) => ({ ...link, onOpen: link.framed ? () => setFramedLink(link) : undefined }))}
      >
        {back && <BackLink to={back}>{backLabel}</BackLink>}
        <p className="small soft">
          {chrome.name} · {facility.name}
        </p>
        <h1>{title}</h1>
        {lead && <p className="lead mt-2">{lead}</p>}
        {path && facilities.length > 1 && (
          <Form method="get" action={path} className="mt-4 flex flex-wrap items-end gap-3 max-sm:[&>.field]:flex-1">
            <SelectField name="at" label="Facility" options={facilities} empty={null} defaultValue={at} />
            <Button kind="secondary">Show</Button>
          </Form>
        )}
        {missing.length > 0 && (
          <Callout className="mt-5" tone="warn" title={informationMissing}>
            <p>Your profile has no {joinWithOr(missing)}. We need it to reach you about your unit.</p>
            <p className="mt-3">
              <LinkButton to="/update-profile" kind="secondary">
                Update
              </LinkButton>
            </p>
          </Callout>
        )}
        {children}
      </SideMenu>
      {framedLink && (
        <Dialog
          open
          wide
          onClose={() => setFramedLink(null)}
          title={framedLink.label}
          actions={
            <LinkButton kind="secondary" href={`${framedLink.href}?download=1`}>
              Download
            </LinkButton>
          }
        >
          <Frame src={framedLink.href} title={`${framedLink.label}, PDF`} />
        </Dialog>
      )}
    </PageFrame>
  )
}

const joinWithOr = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
