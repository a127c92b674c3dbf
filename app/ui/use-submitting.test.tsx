import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, data, RouterProvider, redirect, useActionData, useLoaderData } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import Login from '../account/login.tsx'
import { Button } from './buttons.tsx'
import { useSubmitting } from './use-submitting.ts'

type LoginProps = ComponentProps<typeof Login>

const gate = () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { opened, open }
}

function OtherForm() {
  return <Button busy={useSubmitting()}>Send</Button>
}

function LoginPage() {
  const props = { loaderData: useLoaderData(), actionData: useActionData() } as unknown as LoginProps
  return <Login {...props} />
}

let router: ReturnType<typeof createMemoryRouter> | undefined
afterEach(() => router?.dispose())

/**
 * Opens a router with a log-in and another page. `answering` holds back the action's response and `reading` the data of
 * every page after the first, until the test opens them.
 */
async function openLoginPage(answer: () => Response | ReturnType<typeof data>) {
  const answering = gate()
  const reading = gate()
  let reads = 0
  const testRouter = createMemoryRouter(
    [
      {
        path: '/login',
        Component: LoginPage,
        loader: async () => {
          reads += 1
          if (reads > 1) await reading.opened
          const links = { login: '/login', forgot: '/forgot', register: '/register' }
          return { brand: 'Latchkey', facilities: [], unlock: null, links }
        },
        action: async () => {
          await answering.opened
          return answer()
        },
      },
      { path: '/elsewhere', Component: OtherForm, loader: () => reading.opened.then(() => null) },
    ],
    { initialEntries: ['/login'] },
  )
  router = testRouter
  /** Waits until the router's state fulfills the condition. */
  const until = (isReached: (state: typeof testRouter.state) => boolean) =>
    new Promise<void>((done) => {
      if (isReached(testRouter.state)) return done()
      const stop = testRouter.subscribe((state) => {
        if (!isReached(state)) return
        stop()
        done()
      })
    })
  await until((state) => state.initialized)
  const renderPage = () => renderToStaticMarkup(<RouterProvider router={testRouter} />)
  const send = () => testRouter.navigate('/login', { formMethod: 'post', formData: new FormData() })
  return { testRouter, until, renderPage, send, answering, reading }
}

const busyButtons = (html: string) => html.match(/<button[^>]*aria-busy="true"/g)?.length ?? 0

it('accepts the password as soon as it is requested, while the page still reloads its data', async () => {
  const site = await openLoginPage(() => data({ step: 'password', username: 'ada@example.com', fields: {} }))
  expect(busyButtons(site.renderPage())).toBe(0)
  const sent = site.send()
  await site.until((state) => state.navigation.state === 'submitting')
  expect(busyButtons(site.renderPage())).toBe(1)
  site.answering.open()
  await site.until((state) => state.actionData !== null)
  expect(site.testRouter.state.navigation).toMatchObject({ state: 'loading', formMethod: 'POST' })
  const html = site.renderPage()
  expect(html).toContain('name="password"')
  expect(busyButtons(html)).toBe(0)
  expect(html).not.toContain('One moment')
  site.reading.open()
  await sent
  expect(busyButtons(site.renderPage())).toBe(0)
})

it.each(['/elsewhere', '/login'])(
  'a form whose answer leads to %s takes no second press until that page is there',
  async (to) => {
    const site = await openLoginPage(() => redirect(to))
    const sent = site.send()
    site.answering.open()
    await site.until((state) => state.navigation.state === 'loading')
    expect(busyButtons(site.renderPage())).toBe(1)
    site.reading.open()
    await sent
    expect(site.testRouter.state.location.pathname).toBe(to)
    expect(busyButtons(site.renderPage())).toBe(0)
  },
)
