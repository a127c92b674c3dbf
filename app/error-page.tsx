import { createContext, useContext } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { formUnreadable } from '../domain/texts/general-errors.ts'
import { ButtonRow, LinkButton } from './ui/buttons.tsx'
import { PageFrame } from './ui/page.tsx'
import { callHref } from './ui/phone-link.tsx'

interface Words {
  title: string
  heading: string
  lead: string
}

const serverError: Words = {
  title: 'Something went wrong',
  heading: 'Something went wrong on our side',
  lead: 'Nothing you entered was lost. Please try again in a moment; if it keeps happening, call us and we will finish it with you.',
}

const unreadableForm: Words = {
  title: 'We could not read this form',
  heading: formUnreadable,
  lead: 'Go back, and send it once more from the page it stands on. Nothing has been changed.',
}

const wordsByStatus: Record<number, Words> = {
  403: {
    title: 'Sent from another address',
    heading: 'This form came from another address',
    lead: 'To keep your account safe, we take forms from our own pages only. Open the page from here and send it again. Nothing has been changed.',
  },
  404: {
    title: 'Page not found',
    heading: 'There is nothing at this address',
    lead: 'The page may have moved, or the address has a slip in it.',
  },
  405: {
    title: 'Nothing can be sent here',
    heading: 'Nothing can be sent to this page',
    lead: 'The page is for reading, and takes no form. Nothing has been changed: go back, or start again from here.',
  },
  410: {
    title: 'This facility has closed',
    heading: 'This facility has closed',
    lead: 'No units are let here any more. See what is near, or call us. If you rented here, your account, receipts and leases are kept.',
  },
  400: unreadableForm,
  411: unreadableForm,
  415: unreadableForm,
  413: {
    title: 'That is too large',
    heading: 'That is too large to send',
    lead: 'A file may have 10 MB, and what is typed into a form much less. Go back, shorten it, and send it again. Nothing has been changed.',
  },
}

export const errorTitle = (status: number): string => (wordsByStatus[status] ?? serverError).title

/** Context with the id of the request for which the server renders the page; '' in the browser. */
export const RequestId = createContext('')

/** Returns the reference that an error response names, in its text or data; '' without one. */
export function referenceOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) return ''
  const data: string | { reference?: unknown } | null = error.data
  if (typeof data === 'string') return /Reference: ([\w.:-]+)/.exec(data)?.[1] ?? ''
  return String(data?.reference ?? '')
}

export function Reference({ id }: { id?: string | undefined }) {
  const serverId = useContext(RequestId)
  const reference = id || serverId
  // The browser does not know its document's request id, so it keeps the server's text.
  return (
    <p className="mt-6 break-words empty:hidden" suppressHydrationWarning>
      {reference ? `Reference: ${reference}` : ''}
    </p>
  )
}

interface ErrorPageProps {
  status: number
  phone: string
  home?: string | undefined
  homeLabel?: string
  reference?: string | undefined
}

/**
 * Error page: what happened, what to do next and whom to call.
 * @param home address of the home page; absolute where the browser may be at another origin
 */
export function ErrorPage({ status, phone, home = '/', homeLabel = 'Find storage', reference }: ErrorPageProps) {
  const { heading, lead } = wordsByStatus[status] ?? serverError
  return (
    <PageFrame narrow>
      <h1>{heading}</h1>
      <p className="lead mt-3">{lead}</p>
      <ButtonRow>
        <LinkButton href={home}>{homeLabel}</LinkButton>
        {phone && (
          <LinkButton kind="secondary" href={callHref(phone)}>
            {`Call ${phone}`}
          </LinkButton>
        )}
      </ButtonRow>
      <Reference id={reference} />
    </PageFrame>
  )
}

/**
 * Error page for an error that a route threw. It sets the document's title.
 * @param after text that the document title ends with
 */
export function ThrownErrorPage({
  error,
  after = '',
  ...page
}: Omit<ErrorPageProps, 'status' | 'reference'> & { error: unknown; after?: string }) {
  const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: null }
  const { home }: { home?: string } = data ?? {}
  return (
    <>
      <title>{errorTitle(status) + after}</title>
      <ErrorPage home={home} {...page} status={status} reference={referenceOf(error)} />
    </>
  )
}
