import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider, useActionData, useLoaderData } from 'react-router'
import { expect, it } from 'vitest'
import AccountUndo from './account-undo.tsx'

type Props = Parameters<typeof AccountUndo>[0]

const Page = () => (
  <AccountUndo {...({ loaderData: useLoaderData(), actionData: useActionData() } as unknown as Props)} />
)

/** Renders the page of a link that works, after the action's response. */
function renderAfter(response?: { fields: Record<string, string>; linkEnded?: true }): string {
  const change = { kind: 'email', email: 'ada@example.com' }
  const router = createMemoryRouter([{ id: 'undo', path: '/', Component: Page, loader: () => null }], {
    hydrationData: { loaderData: { undo: { brand: 'Latchkey', change } }, actionData: { undo: response } },
  })
  return renderToString(<RouterProvider router={router} />)
}

it('says that a link has ended which still worked when the page was opened', () => {
  expect(renderAfter()).toContain('Undo it')
  const ended = renderAfter({ fields: {}, linkEnded: true })
  expect(ended).toContain('This link does not work any more')
  expect(ended).not.toContain('Undo it')
})

it('keeps the button where the server could not be reached, and says so', () => {
  const offline = renderAfter({ fields: { form: 'We could not reach our server.' } })
  expect(offline).toContain('We could not reach our server.')
  expect(offline).toContain('Undo it')
})
