import { beforeEach, expect, it } from 'vitest'
import { auctionRulesFirst } from '../../domain/texts/payment.ts'
import { makeAuctionLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { getAuctionWinner } from '../../modules/links/operations/get-auction-winner.ts'
import { postAcknowledgedRules } from '../../modules/links/operations/post-acknowledged-auction-rules.ts'
import { AUCTION_RULES_VERSION, auctionRules } from '../../modules/links/rules/auction-rules-for-winner.ts'
import { postHostPay } from '../../modules/payments/operations/open-card-page-by-api.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'

const { till, folder } = sandboxForTests('auction-rules')

const winner = {
  locationCode: 'GA1',
  unitNumber: '302',
  name: 'Wim Tesh',
  email: 'wim@example.com',
  city: 'Atlanta',
  zip: '30308',
}

describeOnBothEngines('The auction rules', (open) => {
  let services: PayingServices
  let uuid: string
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    const outcome = await makeAuctionLink(services, winner)
    if (!outcome.ok) throw new Error(outcome.why)
    uuid = outcome.uuid
  })
  const acknowledgements = () => recordsOf(services, 'auction_acknowledgements')
  const press = (browser: Browser) => browser.post(`/auction-winner/${uuid}`, { understood: '1' })

  it('must be acknowledged before the payment pages open, which records person, time and wording', async () => {
    const browser = new Browser(services, { auction: uuid })
    const pages = [
      () => browser.get(`/auction-winner-payment-method/${uuid}`),
      () => browser.get('/auction-winner-process-payment'),
    ]
    for (const page of pages) {
      browser.alert = ''
      expect((await page()).to).toBe(`/auction-winner/${uuid}`)
      expect(browser.alert).toBe('auctionRulesFirst')
    }
    expect((await browser.get(`/auction-winner/${uuid}`)).status).toBe(200)
    expect(await acknowledgements()).toEqual([])
    const at = services.clock.now()
    expect((await press(browser)).to).toBe(`/auction-winner-payment-method/${uuid}`)
    services.later(60_000)
    await press(browser)
    expect(await acknowledgements()).toEqual([
      {
        uuid,
        rules_version: AUCTION_RULES_VERSION,
        rules_text: auctionRules.join('\n'),
        acknowledged_at: at,
        address: '198.51.100.7',
        agent: 'test browser',
      },
    ])
    for (const page of pages) expect(await page()).toMatchObject({ status: 200, to: '' })
    await change(services, 'auction_acknowledgements', {}, { rules_version: '2020-01' })
    for (const page of pages) expect((await page()).to).toBe(`/auction-winner/${uuid}`)
  })

  it('must be acknowledged before the API opens a card page', async () => {
    const callers = { ...visitor(), auction: { uuid } }
    const pay = () => perform(services, postHostPay, { location_code: 'GA1' }, callers)
    expect(await pay()).toMatchObject({ status: 409, code: 'rules_not_acknowledged', message: auctionRulesFirst })
    const link = await perform(services, getAuctionWinner, { uuid }, callers)
    expect(link).toMatchObject({ value: { rules: auctionRules.join('\n'), rules_acknowledged: false } })
    const id = link.ok ? link.value.id : 0
    expect(await perform(services, postAcknowledgedRules, { id: id + 1 }, callers)).toMatchObject({ status: 404 })
    expect(await perform(services, postAcknowledgedRules, { id }, visitor())).toMatchObject({ status: 401 })
    expect(await acknowledgements()).toEqual([])
    expect(await perform(services, postAcknowledgedRules, { id }, callers)).toMatchObject({
      value: { result: 'success' },
    })
    expect(await pay()).toMatchObject({ ok: true })
  })
})
