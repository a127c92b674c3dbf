import { beforeEach, expect, it } from 'vitest'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { loadNewLeases } from '../../modules/payments/testing-invariants.ts'
import { openTestCardPage, readyToPay, reserveTestUnit } from '../../modules/payments/testing-rent-until-card-page.ts'
import { cancelReservation } from '../../modules/reservations/operations/cancel-reservation.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import { cannotCancelPaying } from '../../modules/reservations/texts/reserve.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordOf, recordsOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'
import { Renter } from './testing.ts'

const { till, folder } = sandboxForTests('cancel')
const path = '/cancel-reservation'

describeOnBothEngines('Canceling a reservation', (open) => {
  let services: PayingServices
  let draft: Draft
  let renter: Browser
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    draft = await reserveTestUnit(services)
    renter = new Browser(services, { draftId: draft.draftId })
  })
  const reservationKey = () => ({ locationCode: 'GA1', reservationCode: draft.reservationCode ?? '' })
  const reservation = () => recordOf(services, 'reservations', { reservation_code: draft.reservationCode ?? '' })
  const unit = async () => recordOf(services, 'units', { location_code: 'GA1', unit_id: (await reservation()).unit_id })
  const prospect = () => recordOf(services, 'prospects')
  const cancellationMails = async () => {
    await services.runDueJobs()
    const sent = await recordsOf(services, 'mailbox')
    return sent.filter(({ subject }) => subject === 'Your reservation was cancelled')
  }

  it('asks first, releases the unit, updates the records and notifies once, however often the button is pressed', async () => {
    expect((await renter.get(path)).html()).toContain('Cancel this reservation?')
    expect((await reservation()).status).toBe('active')
    for (let press = 0; press < 2; press += 1) expect((await renter.post(path)).to).toBe(path)
    expect((await reservation()).status).toBe('cancelled')
    expect(await unit()).toMatchObject({ status: 'free', held_by: null })
    expect(await prospect()).toMatchObject({ res_status: 'expired' })
    expect((await renter.get(path)).html()).toContain('Your reservation was cancelled')
    expect(await cancellationMails()).toHaveLength(1)
  })

  it('links back to the current step for a renter who keeps the reservation', async () => {
    expect((await renter.get(path)).data.back).toBe('/vehicle')
    draft = await readyToPay(services)
    const further = new Browser(services, { draftId: draft.draftId })
    expect((await further.get(path)).data.back).toBe('/payment-method')
  })

  it('lets the same browser reserve again with the contact form filled in', async () => {
    await renter.post(path)
    expect((await renter.get('/reservation-confirmed')).to).toMatch(/^\/storage-units\//)
    const again = await renter.get('/rent/GA1/1?rentNow=1')
    expect(again.to).toBe('/add-contact?rentNow=1')
    const { data } = await renter.get('/add-contact?rentNow=1')
    expect(data.typed).toMatchObject({ first: 'Rae', email: 'rae@example.com' })
  })

  it('is linked in the mail and available to a browser that found the reservation', async () => {
    await services.runDueJobs()
    const mails = await recordsOf(services, 'mailbox')
    const { uuid } = await prospect()
    expect(mails.map((mail) => mail.text).join()).toContain(`/reservation/${uuid}/cancel`)
    const reader = new Browser(services)
    const openCancelLink = (query: string) => reader.get(`/reservation/${uuid}/cancel${query}`)
    // Opening the link, as mail scanners do, cancels nothing and starts no session.
    await openCancelLink('')
    expect(reader.ids).toEqual({})
    expect((await openCancelLink('?open=1')).to).toBe(path)
    expect((await reservation()).status).toBe('active')
    const finder = new Renter(services)
    await finder.findReservation()
    expect((await finder.post(path)).to).toBe(path)
    expect((await reservation()).status).toBe('cancelled')
    const late = await openCancelLink('?open=1')
    expect(late.to).toBe('/reservation-not-found?location=GA1&cancelled=1')
    expect((await renter.get(late.to)).data.why).toBe('Your reservation was cancelled')
  })

  it('is refused during and after a payment', async () => {
    const paying = await readyToPay(services)
    renter = new Browser(services, { draftId: paying.draftId })
    draft = paying
    const page = await openTestCardPage(services, paying)
    const response = await renter.post(path)
    expect(response).toMatchObject({ status: 409, data: { fields: { form: cannotCancelPaying } } })
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    expect((await renter.post(path)).to).toBe('/rental-completed')
    expect(await cancelReservation(services, reservationKey())).toBe('rented')
    expect((await reservation()).status).toBe('completed')
    expect(await cancellationMails()).toEqual([])
  })

  it('never releases a unit whose payment is posted at the same moment', async () => {
    draft = await readyToPay(services)
    const page = await openTestCardPage(services, draft)
    await payAtHostedPage(page.payPageUrl, 'visa')
    const outcomes = await Promise.all([
      settlePayment(services, page.orderId),
      ...Array.from({ length: 4 }, () => cancelReservation(services, reservationKey())),
    ])
    expect(outcomes[0]).toMatchObject({ state: 'posted' })
    for (const state of outcomes.slice(1)) expect(['paying', 'rented']).toContain(state)
    expect(await loadNewLeases(services)).toHaveLength(1)
    expect(await unit()).toMatchObject({ status: 'rented' })
  })

  it('either cancels and keeps no payment or rents the unit when a cancellation and an order start at the same moment', async () => {
    draft = await readyToPay(services)
    const [page, cancelled] = await Promise.all([
      openTestCardPage(services, draft).catch(() => null),
      cancelReservation(services, reservationKey()),
    ])
    if (page) await payAtHostedPage(page.payPageUrl, 'visa')
    const outcome = page && (await settlePayment(services, page.orderId))
    if (cancelled === 'cancelled') {
      expect(await loadNewLeases(services)).toEqual([])
      expect(outcome === null || outcome.state === 'refund' || outcome.state === 'cancelled').toBe(true)
    } else expect(outcome).toMatchObject({ state: 'posted' })
  })
})
