import { beforeEach, describe, expect, it } from 'vitest'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'
import { beginPaying, cardPayerNames, type PaymentWalk } from './testing-begin-paying-by-card.ts'

const { till, folder } = sandboxForTests('slow-charge')

const checking = 'We are checking your payment'

describe.each(cardPayerNames)('%s, with an open card form', (who) => {
  const open = openerForTests()
  let services: PayingServices
  let payer: PaymentWalk
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    payer = await beginPaying(who, services)
  })

  const cardPage = () => payer.browser.get(payer.steps.at(-1) as string)
  const loadCardForm = async () =>
    (await cardPage()).data?.card as { orderId: string; payPageUrl: string } | null | undefined
  /** Asks for the order's outcome as the page around the card form does. */
  const askOutcome = async (orderId: string, browser = payer.browser) =>
    (await (await browser.post(`/card-return/${orderId}`)).response?.json()) as { next: string | null }

  const cardForm = async () => {
    const form = await loadCardForm()
    if (!form) throw new Error('There is no card form')
    return form
  }

  it('has a frame that may use the browser’s payment request', async () => {
    const frame = /<iframe[^>]*>/.exec((await cardPage()).html())?.[0]
    expect(frame).toContain('allow="payment"')
  })

  it('shows a pending payment, not an empty form, when reloaded during the charge', async () => {
    const { orderId, payPageUrl } = await cardForm()
    expect(await askOutcome(orderId)).toEqual({ next: null })
    const again = await cardPage()
    expect(again.to).toBe(`${payer.returns}?order=${orderId}`)
    const page = await payer.browser.get(again.to)
    expect(page.html()).toContain(checking)
    expect(page.html()).not.toContain('<iframe')
    await payAtHostedPage(payPageUrl, 'visa')
    expect((await payer.browser.get(again.to)).to).not.toBe('')
    expect((await recordOf(services, 'payments', { order_id: orderId })).state).toBe('posted')
  })

  it.each(['late', 'declined'] as const)(
    'the page around a frame that never comes back (%s) goes on by what the provider says',
    async (card) => {
      const { orderId, payPageUrl } = await cardForm()
      const next = `${payer.returns}?order=${orderId}`
      if (card === 'late') await expect(payAtHostedPage(payPageUrl, card)).rejects.toThrow(TypeError)
      else await payAtHostedPage(payPageUrl, card)
      const withheld = card === 'late' ? 2 : 0
      for (let attempt = 0; attempt < withheld; attempt += 1) expect(await askOutcome(orderId)).toEqual({ next: null })
      expect(await askOutcome(orderId)).toEqual({ next })
      expect((await payer.browser.get(next)).to).not.toBe('')
    },
  )

  it('opens a form closed before submission again on request, and by itself after a minute', async () => {
    const { orderId } = await cardForm()
    await askOutcome(orderId)
    const html = (await payer.browser.get(`${payer.returns}?order=${orderId}`)).html()
    expect(html).toContain('Open the card form again')
    const again = await payer.browser.post(`/card-return/${orderId}`, { intent: 'again' })
    expect([302, again.to]).toEqual([again.status, payer.steps.at(-1)])
    expect((await loadCardForm())?.orderId).toBe(orderId)
    await askOutcome(orderId)
    expect(await loadCardForm()).toBeFalsy()
    services.later(60_000)
    expect((await loadCardForm())?.orderId).toBe(orderId)
  })

  it('redirects a browser without the session and changes nothing', async () => {
    const { orderId } = await cardForm()
    const stranger = new Browser(services)
    const next = `${payer.returns}?order=${orderId}`
    expect(await askOutcome(orderId, stranger)).toEqual({ next })
    expect((await stranger.post(`/card-return/${orderId}`, { intent: 'again' })).to).toBe(next)
    expect((await loadCardForm())?.orderId).toBe(orderId)
    expect((await stranger.post('/card-return/LK000000000000000000000000')).status).toBe(404)
  })
})
