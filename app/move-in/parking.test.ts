import { beforeEach, expect, it } from 'vitest'
import { makeSettlementLink } from '../../modules/leases/links.ts'
import { settlePayment } from '../../modules/payments/settle.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { opened, readyToPay } from '../../modules/payments/testing-renter.ts'
import { tillForTests } from '../../modules/payments/testing-till.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'

const { till, folder } = tillForTests('parking')
let services: PayingServices

/** What a renter of this type reads after moving in: the last page and the mail. */
async function read(unitTypeId: number) {
  const draft = await readyToPay(services, { unitTypeId })
  const page = await opened(services, draft)
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect((await settlePayment(services, page.orderId)).state).toBe('posted')
  const browser = new Browser(services, { draftId: draft.draftId, completedOrderId: page.orderId })
  const done = await browser.get('/rental-completed')
  await services.sendMail()
  const mails = await recordsOf(services, 'mailbox')
  return {
    page: done.html(),
    mail: mails.find((one) => one.subject.startsWith("You're moved in"))?.text ?? '',
  }
}

describeOnBothEngines('Coming in', (open) => {
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    const instruction = 'Bring a disc lock: it fits the hasp of every door. Odd numbers are on the left.'
    await change(
      services,
      'locations',
      { location_code: 'GA1' },
      {
        special_instruction_after_rental: instruction,
        gate_hours: '5 AM to 9 PM every day; around the clock with 24-hour access',
      },
    )
  })

  it('a renter of a parking space is told of no lock and no door', async () => {
    const { page, mail } = await read(3)
    for (const text of [page, mail]) {
      expect(text).toContain('drive to your space')
      expect(text).toContain('Odd numbers are on the left.')
      expect(text.replace(/<[^>]+>/g, ' ')).not.toMatch(/\block\b|\bdoor\b|hasp/i)
    }
  })

  it('a renter of a room still is; who declined 24-hour access is not told of it', async () => {
    const { page, mail } = await read(1)
    for (const text of [page, mail]) {
      expect(text).toContain('Bring a lock of your own')
      expect(text).toContain('disc lock')
      expect(text).toMatch(/5\sAM to 9\sPM every day/)
      expect(text).not.toMatch(/24-hour|around the clock/)
    }
  })

  it('a tenant who settled reads the gate hours of their own code, and of a lock on what they rent', async () => {
    const made = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
    if (!made.ok) throw new Error(made.why)
    const browser = new Browser(services, { settlement: made.uuid })
    const { data } = await browser.get('/past-due-payment-process')
    await payAtHostedPage(data.card.payPageUrl, 'visa')
    await browser.get(`/past-due-payment-accept?order=${data.card.orderId}`)
    const page = async () => (await browser.get('/past-due-payment-completed')).html()
    const standard = await page()
    expect(standard).toMatch(/5\s+AM to 9\s+PM every day/)
    expect(standard).not.toMatch(/24-hour|around the clock/)
    expect(standard).toContain('on your door')
    const ofLease = { lease_number: 10002 }
    await change(services, 'leases', ofLease, { unit_type_id: 3 })
    const { gate_code } = await recordOf(services, 'leases', ofLease)
    await change(services, 'gate_codes', { gate_code }, { time_zone_name: '24-hour' })
    const parking = await page()
    expect(parking).toContain('Gate hours: at any hour')
    expect(parking).not.toMatch(/\bdoor\b/)
  })
})
