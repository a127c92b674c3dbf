import { Form, redirect } from 'react-router'
import { contextOf, type RequestContext } from '../request/context.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/log-out'
import { leaveAccount } from './start-and-end-session.ts'

/**
 * Returns whether the session has ids of a visit, such as a rental draft. The marks of a trusted browser and the id for
 * passkey challenges do not count.
 */
const hasVisitIds = (site: RequestContext) =>
  Object.keys(site.session.ids).some((name) => name !== 'known' && name !== 'passkeys')

/** Logs out at once when a link of this site is followed. Other sites' links, prefetches and bookmarks ask first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { token, guestToken } = site.session.ids
  const isOwnLink = request.headers.get('sec-fetch-site') === 'same-origin' && !request.headers.has('sec-purpose')
  if ((token || guestToken) && isOwnLink) return logOut(site)
  return {
    brand: site.brand.name,
    signedIn: Boolean(token || guestToken),
    visited: hasVisitIds(site),
    known: Boolean(site.session.ids.known),
  }
}

export const action = ({ context }: Route.ActionArgs) => logOut(contextOf(context))

/** Ends the session (`leaveAccount`) and shows this page again, which then says that the visitor is logged out. */
async function logOut(site: RequestContext) {
  await leaveAccount(site)
  return redirect('/log-out')
}

export default function LogOut({ loaderData }: Route.ComponentProps) {
  const { brand, signedIn, visited, known } = loaderData
  const title = signedIn ? 'Log out?' : visited ? 'Forget this visit?' : 'You are logged out'
  return (
    <PageFrame narrow title={title} brand={brand}>
      <h1>{title}</h1>
      {signedIn || visited ? (
        <>
          <p className="lead mt-2">
            {signedIn
              ? 'You will need your password or a passkey to come back to your account on this device.'
              : 'You are not logged in, but this device remembers your rental. The link we mailed you brings you back to a reservation.'}
          </p>
          <Form method="post" reloadDocument>
            <ButtonRow>
              <SubmitButton>{signedIn ? 'Log out' : 'Forget this visit'}</SubmitButton>
              <LinkButton kind="secondary" href="/">
                {signedIn ? 'Stay logged in' : 'Keep it'}
              </LinkButton>
            </ButtonRow>
          </Form>
        </>
      ) : (
        <>
          <p className="lead mt-2">
            {known
              ? 'This device keeps nothing of your account but that you have logged in from it, so that a stranger’s wrong passwords cannot lock you out.'
              : 'Nothing of your visit is kept on this device.'}
          </p>
          <ButtonRow>
            <LinkButton href="/">Find storage</LinkButton>
            <LinkButton kind="secondary" to="/login">
              Log in again
            </LinkButton>
          </ButtonRow>
        </>
      )}
    </PageFrame>
  )
}
