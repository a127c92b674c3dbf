import { readFile } from 'node:fs/promises'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterContextProvider, RouterProvider, redirect } from 'react-router'
import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../platform/database/open.ts'
import * as confirmRentalPayment from './move-in/rental-payment-return.tsx'
import * as paymentReturn from './pay/payment-return.tsx'
import { type RequestContext, requestContext } from './request/context.ts'
import App, { loader, meta, shouldRevalidate } from './root.tsx'
import routes from './routes.ts'

const Root = App as unknown as ComponentType<{ loaderData: object }>
const facility = '(404) 555-0142'
const root = {
  brand: { name: 'Latchkey', phone: '8005550100', hours: [], footer: '', logo: '' },
  pages: [],
  nonce: 'n',
  banner: '',
  maintenance: false,
  demo: false,
  mailbox: false,
  alert: '',
  signedIn: false,
  sessionLeft: 0,
}

function headOf(loaderData: object, handle?: object): string {
  const page = { id: 'page', index: true as const, handle, loader: () => loaderData, Component: () => null }
  const router = createMemoryRouter(
    [{ id: 'root', path: '/', Component: () => <Root loaderData={root} />, children: [page] }],
    {
      hydrationData: { loaderData: { page: loaderData } },
    },
  )
  const html = renderToStaticMarkup(<RouterProvider router={router} />)
  return /<header.*?<\/header>/s.exec(html)?.[0] ?? ''
}

it('has no menu but the facility’s phone number while renting, paying or waiting for a result', () => {
  for (const head of [
    headOf({ chrome: { summary: {}, phone: facility } }),
    headOf({ summary: {}, phone: facility }),
    headOf({ phone: facility }, paymentReturn.handle),
    headOf({ phone: facility }, confirmRentalPayment.handle),
  ]) {
    expect(head).toContain(facility)
    expect(head).not.toContain('Find storage')
  }
})

it('has the menu elsewhere, with the facility’s number on tenant pages and the operator’s on others', () => {
  expect(headOf({ chrome: { facility: { phone: facility } } })).toContain(facility)
  for (const head of [headOf({}), headOf({ phone: facility })]) {
    expect(head).toContain('(800) 555-0100')
    expect(head).toContain('Find storage')
  }
})

it('shows the alert of a page whose link led back', async () => {
  let waiting = ''
  const loadRoot = () => {
    const alert = waiting
    waiting = ''
    return { ...root, alert }
  }
  const refuse = () => {
    waiting = 'Invalid lease number!'
    throw redirect('/my-units')
  }
  const page = (path: string, loader: () => unknown) => ({ path, loader, Component: () => null })
  const router = createMemoryRouter(
    [
      {
        id: 'root',
        loader: loadRoot,
        shouldRevalidate,
        Component: () => null,
        children: [page('/my-units', () => null), page('/account-profile', () => null), page('/unit-details', refuse)],
      },
    ],
    { initialEntries: ['/my-units'], hydrationData: { loaderData: { root } } },
  )
  for (const from of ['/my-units', '/account-profile']) {
    await router.navigate(from)
    await router.navigate('/unit-details')
    expect(router.state.location.pathname).toBe('/my-units')
    expect(router.state.loaderData.root.alert, from).toBe('Invalid lease number!')
  }
})

it('names the operator’s phone number to a signed-in tenant while the database is unavailable', async () => {
  const reported: unknown[] = []
  const selectFrom = () => {
    throw new DatabaseUnavailable('lost')
  }
  const site = {
    brand: { name: 'Latchkey', phone: '8005550100', hours: [], texts: { footer: '' } },
    theme: { sheet: '', logo: '', icon: '', share: '' },
    nonce: 'n',
    session: { ids: { token: 'a token' }, endsAt: 1 },
    services: { db: { read: { selectFrom } }, clock: { now: () => 0 } },
    reportFailure: (error: unknown) => reported.push(error),
  } as object as RequestContext
  const context = new RouterContextProvider()
  context.set(requestContext, site)
  const request = new Request('https://rent.example/my-units')
  const args = { context, request, url: new URL(request.url), params: {}, pattern: '/my-units' }
  expect(await loader(args as Parameters<typeof loader>[0])).toMatchObject({
    brand: { phone: '8005550100' },
    signedIn: true,
    sessionLeft: 0,
  })
  expect(reported).toEqual([expect.any(DatabaseUnavailable)])
})

it('keeps search engines away from pages that have no head of their own, except the reservation look-up', async () => {
  expect(meta()).toEqual([{ name: 'robots', content: 'noindex' }])
  const filesOf = (entries: typeof routes): string[] =>
    entries.flatMap(({ file, children = [] }) => [file, ...filesOf(children)])
  const listed: string[] = []
  for (const file of new Set(filesOf(routes)))
    if (/export const meta = \(\) => \[\]/.test(await readFile(new URL(file, import.meta.url), 'utf8')))
      listed.push(file)
  expect(listed).toEqual(['reserve/find-reservation.tsx'])
})
