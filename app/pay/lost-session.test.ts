import { beforeEach, describe, expect, it } from 'vitest'
import { invalidSession } from '../../domain/texts/general-errors.ts'
import { endSignIn } from '../../modules/accounts/sessions.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { textsByCode } from '../request/alert-texts-by-code.ts'
import { Renter } from '../reserve/testing.ts'
import { Browser, type Page } from '../testing.ts'
import { findRefusalAdvice } from '../ui/refusal-advice-texts.ts'
import { payers } from './payer-page-addresses.ts'
import { beginPaying, cardPayerNames, type PaymentWalk } from './testing-begin-paying-by-card.ts'

const { till, folder } = sandboxForTests('lost-session')

const untrue = /(nothing (was|has been)|not) charged/i
const personal = /\$\d|Dorn|O'Neill|Rae|Wim|GA1|302|103|10002|LK[0-9A-F]{8}/

/** Returns the text of a page or, after a redirect, the alert that the next page shows and its explanation. */
function visibleText(browser: Browser, page: Page): string {
  if (page.data !== null) return page.html()
  const sentence = textsByCode[browser.alert as keyof typeof textsByCode]
  if (typeof sentence !== 'string') return ''
  return `${sentence} ${findRefusalAdvice(sentence)?.means ?? ''}`
}

describe.each(cardPayerNames)('%s, whose cookies are lost', (who) => {
  const open = openerForTests()
  let services: PayingServices
  let payer: PaymentWalk
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    payer = await beginPaying(who, services)
  })

  const openCard = async () => {
    const { data } = await payer.browser.get(payer.steps.at(-1) as string)
    return data.card as { orderId: string; payPageUrl: string }
  }
  const backWithoutCookies = async (orderId: string) => {
    payer.browser.ids = {}
    payer.browser.alert = ''
    return payer.browser.get(`${payer.returns}?order=${orderId}`)
  }

  it('after paying: asks the provider at once and confirms the payment without names or amounts', async () => {
    const { orderId, payPageUrl } = await openCard()
    await payAtHostedPage(payPageUrl, 'visa')
    const page = await backWithoutCookies(orderId)
    expect([page.status, page.to, payer.browser.alert]).toEqual([200, '', ''])
    const html = page.html()
    expect(html).toContain('We are checking your payment')
    expect(html).toContain('The payment went through')
    expect(html).not.toMatch(untrue)
    expect(html).not.toMatch(personal)
    expect((await recordOf(services, 'payments', { order_id: orderId })).state).toBe('posted')
    expect(services.security.recorded.filter(([event]) => event === 'order.foreign')).toEqual([])
    expect(payer.browser.ids).toEqual({})
  })

  it('confirms the payment also when only the sign-in has ended, whatever else the browser has started', async () => {
    const { token, guestToken } = payer.browser.ids
    const signIn = token ?? guestToken
    if (signIn === undefined) return
    const { orderId, payPageUrl } = await openCard()
    await payAtHostedPage(payPageUrl, 'visa')
    await endSignIn(services, signIn)
    payer.browser.ids.draftId = (await readyToPay(services)).draftId
    const page = await payer.browser.get(`${payer.returns}?order=${orderId}`)
    expect([page.status, page.to, payer.browser.alert]).toEqual([200, '', ''])
    expect(page.html()).toContain('The payment went through')
    expect(page.html()).not.toMatch(personal)
    expect((await recordOf(services, 'payments', { order_id: orderId })).state).toBe('posted')
  })

  it('before the provider knows: says neither that money was taken nor that it was not', async () => {
    const { orderId } = await openCard()
    const html = (await backWithoutCookies(orderId)).html()
    expect(html).toContain('We do not know yet whether it went through')
    expect(html).not.toMatch(untrue)
    expect(html).not.toMatch(personal)
  })

  it.each(['declined', 'left'] as const)(
    '%s: the order’s state alone says that nothing was charged',
    async (outcome) => {
      const { orderId, payPageUrl } = await openCard()
      await (outcome === 'left' ? cancelAtHostedPage(payPageUrl) : payAtHostedPage(payPageUrl, 'declined'))
      const html = (await backWithoutCookies(orderId)).html()
      expect(html).toContain('Nothing was charged')
      expect(html).not.toMatch(personal)
    },
  )

  it('at every step after the charge: no page says that nothing was charged', async () => {
    const { orderId, payPageUrl } = await openCard()
    await payAtHostedPage(payPageUrl, 'visa')
    const completed = [payers.guest.completed, payers.auction.completed, payers.settlement.completed]
    for (const path of [
      ...payer.steps,
      payer.returns,
      `${payer.returns}?order=LK000000000000000000000000`,
      ...completed,
    ]) {
      payer.browser.ids = {}
      payer.browser.alert = ''
      const page = await payer.browser.get(path)
      expect(visibleText(payer.browser, page), path).not.toBe('')
      expect(visibleText(payer.browser, page), path).not.toMatch(untrue)
    }
    expect((await backWithoutCookies(orderId)).html()).toContain('The payment went through')
  })
})

describe('a rental that is paid', () => {
  const open = openerForTests()
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  it('shows the rental when the return page is opened again without an order', async () => {
    const renter = new Renter(services, { draftId: (await readyToPay(services)).draftId })
    await renter.payWith('visa')
    expect(await renter.get('/confirm-rental-payment')).toMatchObject({ to: '/rental-completed' })
    expect(renter.alert).toBe('')
  })

  it('does not say that nothing was charged when a search finds nothing', async () => {
    const renter = new Renter(services, { draftId: (await readyToPay(services)).draftId })
    await renter.payWith('visa')
    const stranger = new Browser(services)
    for (const address of ['/reservation-not-found?location=GA1&by=name', '/reservation-not-found?location=GA1'])
      expect((await stranger.get(address)).html()).not.toMatch(untrue)
    expect(findRefusalAdvice(invalidSession)?.means).not.toMatch(untrue)
  })
})
