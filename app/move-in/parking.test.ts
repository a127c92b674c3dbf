/** What is said about coming in is true for a parking space, and for those who declined 24-hour access. */
import { beforeEach, expect, it } from 'vitest'
import { openerForTests } from '../../database/testing.ts'
import { settlePayment } from '../../paying/payers.ts'
import { opened, openPayingHouse, type PayingHouse, readyToPay, tillForTests } from '../../paying/testing.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { Browser, shown } from '../testing.ts'
import * as rentalCompleted from './rental-completed.tsx'

const { till, folder } = tillForTests('parking')
const open = openerForTests()
let house: PayingHouse

beforeEach(async () => {
  house = await openPayingHouse(await open(), till, folder)
  const instruction = 'Bring a disc lock: it fits the hasp of every door. Odd numbers are on the left.'
  await house.db.write
    .updateTable('locations')
    .set({
      special_instruction_after_rental: instruction,
      gate_hours: '5 AM to 9 PM every day; around the clock with 24-hour access',
    })
    .where('location_code', '=', 'GA1')
    .execute()
})

/** What a renter of this type reads after moving in: the last page and the mail. */
async function read(unitTypeId: number) {
  const draft = await readyToPay(house, { unitTypeId })
  const page = await opened(house, draft)
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect((await settlePayment(house, page.orderId)).state).toBe('posted')
  const browser = new Browser(house, { draftId: draft.draftId, completedOrderId: page.orderId })
  const { data } = await browser.ask(rentalCompleted.loader, { path: '/rental-completed' })
  await house.sendMail()
  const mails = await house.db.read.selectFrom('mailbox').select(['subject', 'text']).execute()
  return {
    page: shown(rentalCompleted, data),
    mail: mails.find((one) => one.subject.startsWith("You're moved in"))?.text ?? '',
  }
}

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
    expect(text).toContain('5 AM to 9 PM every day')
    expect(text).not.toMatch(/24-hour|around the clock/)
  }
})
