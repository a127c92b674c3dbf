import { beforeEach, expect, it } from 'vitest'
import { AUTOPAY_LINK_MS } from '../../modules/leases/autopay-off-link.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'
import { chooseCard, signInGuestBrowser } from './testing.ts'

const { till, folder } = sandboxForTests('autopay-off')
let services: PayingServices

const autopay = async () => (await recordOf(services, 'leases', { lease_number: 10002 })).autopay

/**
 * Pays the dues of lease 10002 as a guest.
 * @returns the HTML of the pages read on the way, and the text of the mailed receipt with its autopay-off token
 */
async function payDues(choice: {
  autopay: '0' | '1'
}): Promise<{ read: string; token: string | undefined; mail: string }> {
  const guest = await signInGuestBrowser(services, 1002)
  const unit = await guest.get('/guest/find-units?unit=GA1:10002&ask=1')
  await guest.post('/guest/find-units', { unit: 'GA1:10002', ...choice })
  const method = await guest.get('/guest/select-method')
  await chooseCard(guest, 'guest')
  const { data } = await guest.get('/guest/process-payment')
  await payAtHostedPage(data.card.payPageUrl, 'visa')
  const done = await guest.get(`/guest/accept-payment?order=${data.card.orderId}`)
  expect(done.to).toBe('/guest/payment-completed')
  const last = await guest.get('/guest/payment-completed')
  await services.runDueJobs()
  const mails = await services.db.read.selectFrom('mailbox').select(['subject', 'text']).execute()
  const mail = mails.find((message) => message.subject.startsWith('Receipt'))?.text ?? ''
  return {
    read: unit.html() + method.html() + last.html(),
    token: /\/autopay-off\/(\S+)/.exec(mail)?.[1],
    mail,
  }
}

const visit = (token = '') => new Browser(services).get(`/autopay-off/${token}`)
const press = (token = '') => new Browser(services).post(`/autopay-off/${token}`, { now: '1' })

describeOnBothEngines('Turning autopay off from a guest’s receipt', (open) => {
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  it('offers a link without an account, and the link turns autopay off however often it is pressed', async () => {
    const { read, token } = await payDues({ autopay: '1' })
    expect(read).not.toMatch(/in my account|turn it off here/)
    expect(read).toContain('link')
    expect(await autopay()).toBe(1)
    const { data } = await visit(token)
    expect(data).toMatchObject({ state: 'on', unitNumber: '302', facility: 'Storage GA1' })
    for (const secret of ['Cy', 'Dorn', '1111', '591734']) expect(JSON.stringify(data)).not.toContain(secret)
    expect(await autopay()).toBe(1)
    expect((await press(token)).to).toBe(`/autopay-off/${token}`)
    expect(await autopay()).toBe(0)
    // Where scripts run, the form posts to the page's data address and must redirect to the page itself.
    const path = `/autopay-off/${token}.data`
    const again = await new Browser(services).post(path, { now: '1' })
    expect(again.to).toBe(`/autopay-off/${token}`)
    expect(await autopay()).toBe(0)
    expect((await visit(token)).data.state).toBe('off')
  })

  it('ignores a guessed, truncated or expired link and one of an earlier agreement', async () => {
    const { token = '' } = await payDues({ autopay: '1' })
    for (const invalidToken of ['x', token.slice(0, -4), `${token}xxxx`, token.replace('s1.', 's2.')]) {
      expect(await visit(invalidToken)).toMatchObject({ status: 404, data: { state: 'invalid' } })
      await press(invalidToken)
    }
    expect(await autopay()).toBe(1)
    await change(services, 'leases', { lease_number: 10002 }, { autopay_consent_at: 7 })
    await press(token)
    const newer = await visit(token)
    expect(newer.data.state).toBe('newer')
    // For a tenant with an account only the receipt of a guest payment has the link, so the page names the account first.
    expect(newer.html()).toMatch(/href="\/login".*turn autopay off on the unit.*Without one, the newest receipt/s)
    services.later(AUTOPAY_LINK_MS)
    expect((await visit(token)).data.state).toBe('invalid')
    expect(await autopay()).toBe(1)
  })

  it('sends no link where autopay is off', async () => {
    const { mail, token } = await payDues({ autopay: '0' })
    expect(mail).not.toBe('')
    expect(token).toBeUndefined()
  })
})
