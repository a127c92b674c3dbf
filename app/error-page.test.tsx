import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { ErrorPage, errorTitle } from './error-page.tsx'
import * as notFound from './find-storage/not-found.tsx'
import { type RequestContext, requestContext } from './request/context.ts'

const brand = { name: 'Harbor Lockers', phone: '8885550142' }

function contextOf(refused: number) {
  const context = new RouterContextProvider()
  context.set(requestContext, {
    brand,
    refused,
    services: { publicUrl: 'https://rent.example' },
  } as unknown as RequestContext)
  return context
}

/**
 * Renders the error page as the server does for a refused request or an unknown address.
 * @param refused HTTP status, or 0 for an unknown address
 */
async function renderRefusal(refused: number) {
  const loaded = notFound.loader({ context: contextOf(refused) } as never)
  const Page = notFound.default as unknown as React.ComponentType<{ loaderData: unknown }>
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <Page loaderData={loaded.data} />
    </MemoryRouter>,
  )
  const [{ title }] = notFound.meta({ loaderData: loaded.data } as never) as [{ title: string }]
  return { status: loaded.init?.status, html, title, heading: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] }
}

describe('the error page', () => {
  it.each([
    [403, 'This form came from another address'],
    [405, 'Nothing can be sent to this page'],
    [411, 'We could not read this form. Please try again.'],
    [413, 'That is too large to send'],
  ])('says of %i what happened and what to do, and does not call it a fault of the site', async (status, heading) => {
    const page = await renderRefusal(status)
    expect(page).toMatchObject({ status, heading, title: `${errorTitle(status)} · Harbor Lockers` })
    expect(page.html).toContain('href="tel:8885550142"')
    expect(page.html).toContain('href="https://rent.example/"')
    expect(page.html).not.toContain('our side')
  })

  it('distinguishes an unknown address from a refused request', async () => {
    expect(await renderRefusal(0)).toMatchObject({ status: 404, heading: 'There is nothing at this address' })
  })

  it('reports a server failure as the site’s fault', () => {
    const html = renderToStaticMarkup(
      <MemoryRouter>
        <ErrorPage status={500} phone="" />
      </MemoryRouter>,
    )
    expect(html).toContain('Something went wrong on our side')
    expect(html).toContain('href="/"')
  })

  it('throws the refusal of a form that the page’s scripts sent, and answers 404 at an unknown address', () => {
    const args = (refused: number) => ({ context: contextOf(refused) }) as never
    expect(() => notFound.action(args(413))).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ status: 413 }), init: { status: 413 } }),
    )
    expect(notFound.action(args(0)).init).toEqual({ status: 404 })
  })
})
