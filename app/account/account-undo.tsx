import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import { UndoAccountChange } from '../../modules/accounts/operations/undo-account-change.ts'
import { addTrustedBrowserMark } from '../../modules/accounts/views/mark-browser-for-own-attempt-count.ts'
import { loadUndoableChange } from '../../modules/accounts/views/undoable-change.ts'
import { contextOf } from '../request/context.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/account-undo'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const meta = secretAddressMeta

const linkOf = (request: Request) => new URL(request.url).searchParams.get('change') ?? ''

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  return { brand: site.brand.name, change: await loadUndoableChange(site.services, linkOf(request)) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const outcome = await site.call(UndoAccountChange, { link: linkOf(request) })
  const undo = outcome.ok ? outcome.value : null
  if (!undo) return data({ fields: {}, linkEnded: true }, { status: 404 })
  // The link shows that the visitor reads the account's mail. So this browser may set the new password, and wrong
  // passwords tried in other browsers do not lock it out.
  const trusted = await addTrustedBrowserMark(site.services, site.session.ids.known, undo.accountId)
  site.session.set({ token: undefined, at: undefined, resetId: undo.resetId, known: trusted })
  return redirect('/forgot?undone=1')
}

export default function AccountUndo({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, change } = loaderData
  // The router does not load the page again after a refusal.
  const hasEnded = actionData !== undefined && 'linkEnded' in actionData
  const title = change?.kind === 'password' ? 'Undo the new password' : 'Undo the change'
  return (
    <PageFrame narrow title={title} brand={brand} wrong={actionData !== undefined}>
      <h1>{title}</h1>
      {change && !hasEnded ? (
        <>
          <p className="lead mt-2 wrap-anywhere">
            {change.kind === 'email' ? (
              <>
                Your account will be with <strong>{change.email}</strong> again, and you sign in as before.
              </>
            ) : (
              <>The new password will no longer work, and later changes of the account are undone as well.</>
            )}
          </p>
          <p className="mt-4">
            All devices will be signed out, new passkeys are removed, and you choose a new password here.
          </p>
          {actionData && (
            <div className="mt-6">
              <ErrorSummary errors={actionData.fields} />
            </div>
          )}
          <Form method="post">
            <ButtonRow>
              <SubmitButton busyLabel="One moment…">Undo it</SubmitButton>
              <LinkButton kind="secondary" href="/">
                It was me, keep it
              </LinkButton>
            </ButtonRow>
          </Form>
        </>
      ) : (
        <Callout className="mt-6" tone="warn" title="This link does not work any more">
          <p>It is too old, was used already, or an earlier change was undone. If you cannot sign in, call us.</p>
          <p className="mt-3">
            <LinkButton kind="secondary" href="/login">
              Log in
            </LinkButton>
          </p>
        </Callout>
      )}
    </PageFrame>
  )
}
