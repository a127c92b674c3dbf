import { beforeEach, expect, it } from 'vitest'
import { makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { openTestCardPage, readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { textOfPdf } from '../../tests/support/text-of-pdf.ts'
import { Browser } from '../testing.ts'

const { till, folder } = sandboxForTests('parking')
let services: PayingServices

/** Collects what the renter of a unit of this type reads after the move-in: completion page, mail and lease. */
async function collectTexts(unitTypeId: number) {
  const draft = await readyToPay(services, { unitTypeId })
  const page = await openTestCardPage(services, draft)
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect((await settlePayment(services, page.orderId)).state).toBe('posted')
  const browser = new Browser(services, { draftId: draft.draftId, completedOrderId: page.orderId })
  const completed = await browser.get('/rental-completed')
  await services.runDueJobs()
  const { response } = await browser.get('/lease-document/signed')
  const lease = textOfPdf(new Uint8Array((await response?.arrayBuffer()) ?? [])).pages.join(' ')
  const mails = await recordsOf(services, 'mailbox')
  return {
    page: completed.html(),
    lease: lease.replace(/\s+/g, ' '),
    mail: mails.find((mail) => mail.subject.startsWith("You're moved in"))?.text ?? '',
  }
}

describeOnBothEngines('The texts about access', (open) => {
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

  it('omits the aisle and the value of goods for a parking space and shows both for a room', async () => {
    const advice = '<li>Leave an aisle down the middle.</li>'
    const screen = `<p>Good to have you.</p><ul>${advice}</ul><ul>${advice}<li>Photograph it.</li></ul>`
    await change(services, 'location_contents', { location_code: 'GA1' }, { website_move_in_completion_screen: screen })
    const parking = await collectTexts(3)
    expect(parking.page).toContain('<p>Good to have you.</p><ul><li>Photograph it.</li></ul>')
    expect(parking.lease).toContain('Kind Open Parking')
    expect(parking.lease).toContain('with its lien and insurance terms, and that you agree to it')
    expect(parking.lease).not.toMatch(/\$5,000|may be worth|value limit/)
    const room = await collectTexts(1)
    expect(room.page).toContain(advice)
    expect(room.lease).toContain('property worth more than $5,000.00 in all')
    expect(room.lease).toContain('with its lien, insurance and value limit, and that you agree to it')
  })

  it('omits lock and door for a parking space', async () => {
    const { page, mail } = await collectTexts(3)
    for (const text of [page, mail]) {
      expect(text).toContain('drive to your space')
      expect(text).toContain('Odd numbers are on the left.')
      expect(text.replace(/<[^>]+>/g, ' ')).not.toMatch(/\block\b|\bdoor\b|hasp/i)
    }
  })

  it('mentions the lock for a room and omits 24-hour access where it was declined', async () => {
    const { page, mail } = await collectTexts(1)
    for (const text of [page, mail]) {
      expect(text).toContain('Bring a lock of your own')
      expect(text).toContain('disc lock')
      expect(text).toMatch(/5\sAM to 9\sPM every day/)
      expect(text).not.toMatch(/24-hour|around the clock/)
    }
  })

  it('shows a tenant who paid a settlement the gate hours of their code, and mentions a door for a room only', async () => {
    const link = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
    if (!link.ok) throw new Error(link.why)
    const browser = new Browser(services, { settlement: link.uuid })
    const { data } = await browser.get('/past-due-payment-process')
    await payAtHostedPage(data.card.payPageUrl, 'visa')
    await browser.get(`/past-due-payment-accept?order=${data.card.orderId}`)
    const page = async () => (await browser.get('/past-due-payment-completed')).html()
    const standard = await page()
    expect(standard).toMatch(/5\s+AM to 9\s+PM every day/)
    expect(standard).not.toMatch(/24-hour|around the clock/)
    expect(standard).toContain('on your door')
    const leaseKey = { lease_number: 10002 }
    await change(services, 'leases', leaseKey, { unit_type_id: 3 })
    const { gate_code } = await recordOf(services, 'leases', leaseKey)
    await change(services, 'gate_codes', { gate_code }, { time_zone_name: '24-hour' })
    const parking = await page()
    expect(parking).toContain('Gate hours: at any hour')
    expect(parking).not.toMatch(/\bdoor\b/)
  })
})
