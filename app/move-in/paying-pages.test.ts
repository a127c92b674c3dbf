import { beforeEach, describe, expect, it } from 'vitest'
import { format } from '../../domain/money.ts'
import { handleGateContact } from '../../modules/gate/answer-gate-list-pull.ts'
import { setGate } from '../../modules/gate/set-gate-kind-and-hours.ts'
import { watchGates } from '../../modules/gate/watch-gates.ts'
import { GetTenantUnitLeaseDetails } from '../../modules/leases/operations/get-tenant-unit-lease-details.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { loadNewLeases } from '../../modules/payments/testing-invariants.ts'
import { readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { refundReason } from '../../modules/refunds/texts/payer-refund-reasons.ts'
import { loadDraft } from '../../modules/reservations/draft.ts'
import { insertDraft } from '../../modules/reservations/insert-draft.ts'
import { proveRenter } from '../../modules/reservations/limit-and-extend-unproven-holds.ts'
import { perform } from '../../platform/operations/operation.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { contact } from '../../tests/support/small-operator.ts'
import { Renter } from '../reserve/testing.ts'
import { type Browser, renderTestPage } from '../testing.ts'
import * as paymentMethod from './payment-method.tsx'
import * as confirmRentalPayment from './rental-payment-return.tsx'

const { till, folder } = sandboxForTests('paying-pages')

describe('paying for a move-in', () => {
  const open = openerForTests()
  let services: PayingServices
  let renter: Renter

  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    renter = new Renter(services, { draftId: (await readyToPay(services)).draftId })
  })

  it('returns from a Change link to the payment method, or first to the pages that became incomplete', async () => {
    const same = await renter.post('/lien-holder?review=1', { answer: 'no' })
    expect(same.to).toBe('/payment-method')
    const more = await renter.post('/lien-holder?review=1', { answer: 'yes' })
    expect(more.to).toBe('/lien-holder-details?review=1')
    const lienHolder = { lien_name: 'First Bank', phone_number: '4045550188', description: 'A boat', address: '' }
    const saved = await renter.post('/lien-holder-details?review=1', lienHolder)
    // The lease text has changed, so it must be signed again before paying.
    expect(saved.to).toBe('/lease')
  })

  it('shows the answers with links to their pages and the amount to pay, but no license number', async () => {
    const { data } = await renter.openPaymentMethod()
    const rows = Object.fromEntries(
      data.groups
        .flatMap((group: { answers: { label: string }[] }) => group.answers)
        .map((row: { label: string }) => [row.label, row]),
    )
    expect(rows.Name).toMatchObject({ value: "Rae O'Neill" })
    expect(rows['Lien holder']).toMatchObject({ value: 'No', change: '/lien-holder?review=1' })
    expect(rows.Insurance.change).toBe('/insurance-schemes?review=1')
    expect(rows.Autopay).toMatchObject({ change: '/lease' })
    expect(rows["Driver's license"].value).toContain('ending in 3377')
    expect(JSON.stringify(data)).not.toContain('048213377')
    expect(JSON.stringify(data)).not.toContain('1987')
    expect(data.total).toBe(data.chrome.summary.totalCents)
    expect(data.chrome.summary.assumptions).toEqual([])
  })

  it('approved: completes the move-in and shows the lease’s facts and a receipt whose lines add up', async () => {
    expect(await renter.payWith('visa')).toMatchObject({ status: 302, to: '/rental-completed' })
    const { data } = await renter.openCompleted()
    const lease = await recordOf(services, 'leases', { order_id: renter.ids.completedOrderId ?? '' })
    expect(data.rental).toMatchObject({
      unitNumber: lease.unit_number,
      gateCode: lease.gate_code,
      leaseNumber: lease.lease_number,
      signed: true,
      hasMap: true,
    })
    const { receipt, paidThrough, nextPayment } = data.rental
    for (const dated of [receipt.paidOn, paidThrough, nextPayment]) expect(dated).toMatch(/\b\d\d\/\d\d\/2026\b/)
    expect(receipt.lines.reduce((sum: number, line: { cents: number }) => sum + line.cents, 0)).toBe(receipt.totalCents)
    expect(receipt.paidWith).toBe('Visa ending 1111')
    expect(data.signedIn).toBe(false)
    expect(data.map).toBeNull()
    // The dialog shows the unit's floor, or says that the plan lacks the unit or that there is no plan.
    const setPosition = (left_coordinate: number | null, only = {}) =>
      change(services, 'units', { location_code: 'GA1', ...only }, { left_coordinate, floor_no: 2 })
    const plan = async () => (await renter.openCompleted('?map=1')).data.map.plan
    await setPosition(30, { unit_number: lease.unit_number })
    const floor = await plan()
    expect(floor).toMatchObject({ shown: 2, unplaced: [] })
    expect(JSON.parse(floor.floor).units).toMatchObject([{ unit_no: lease.unit_number }])
    await setPosition(null, { unit_number: lease.unit_number })
    expect(await plan()).toMatchObject({ shown: 1, unplaced: [lease.unit_number] })
    await setPosition(null)
    expect(await plan()).toBeNull()
    for (const page of [renter.openPaymentMethod, () => renter.openCardPage()])
      expect((await page()).to).toBe('/rental-completed')
  })

  it('a copied cookie shows neither gate code nor lease after logout, even after another unit was viewed', async () => {
    const signedLease = (browser: Browser) => browser.get('/lease-document/signed')
    await renter.payWith('visa')
    const next = await insertDraft(services.db.write, services, { locationCode: 'GA1', unitTypeId: 1 })
    renter.ids = { ...renter.ids, draftId: next.draftId }
    const copy = new Renter(services, { ...renter.ids })
    expect((await copy.openCompleted()).data.rental.gateCode).toMatch(/^\d+$/)
    expect((await signedLease(copy)).status).toBe(404)
    copy.ids = { completedOrderId: renter.ids.completedOrderId ?? '' }
    expect((await signedLease(copy)).status).toBe(200)
    await renter.post('/log-out')
    expect(await copy.openCompleted()).toMatchObject({ status: 302, to: '/' })
    expect((await signedLease(copy)).status).toBe(404)
  })

  it('the confirmation shows only what the gate has acknowledged', async () => {
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await renter.payWith('visa')
    const note = async () => (await renter.openCompleted()).data.rental.gateNote
    expect(await note()).toMatch(/^Opens the gate/)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const contactGate = (etag: string) => handleGateContact(services, 'GA1', etag, 'k')
    expect(await note()).toMatch(/^Being given to the gate\. /)
    const contact = await contactGate('')
    expect(await note()).toMatch(/^Being given to the gate\. /)
    await contactGate(`"${contact?.etag}"`)
    expect(await note()).toMatch(/^Opens now, until 9 PM\. /)
    // The gate follows a new week once it has confirmed the week; the page shows the hours that the gate follows.
    const short = week.map((span, day) => (day < 5 ? (['07:00', '18:00'] as const) : span))
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: short }))
    expect(await note()).toMatch(/^Opens now, until 9 PM\. /)
    await contactGate(`"${(await contactGate(''))?.etag}"`)
    expect(await note()).toBe(
      'Opens now, until 6 PM. Opens the gate Monday to Friday 7 AM to 6 PM, Saturday to Sunday 5 AM to 9 PM.',
    )
    // The gate has not acknowledged another time zone yet, by which it would be night.
    const zone = (time_zone: string) => change(services, 'locations', { location_code: 'GA1' }, { time_zone })
    await zone('Asia/Tokyo')
    expect(await note()).toMatch(/^Opens now, until 6 PM\. /)
    await zone('America/New_York')
    await change(services, 'gate_codes', { active: 1 }, { time_zone_name: '24-hour' })
    expect(await note()).toMatch(/^Being given to the gate\. /)
    expect((await contactGate(''))?.news?.list.codes.every(({ hours }) => hours === '24-hour')).toBe(true)
    services.later(60_001)
    const notYet = /^The gate has not taken your code yet. Call \(\d{3}\) \d{3}-\d{4}: we open it\./
    expect(await note()).toMatch(notYet)
    await contactGate(`"${(await contactGate(''))?.etag}"`)
    expect(await note()).toMatch(/^Opens now, at any hour\./)
    await change(
      services,
      'gate_wanted',
      { tenant_id: (await loadNewLeases(services))[0]?.tenant_id },
      { refused: 'in use' },
    )
    expect(await note()).toMatch(notYet)
  })

  it('the mail of a move-in promises another mail, which comes although the gate takes the code within seconds', async () => {
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const contactGate = (etag: string) => handleGateContact(services, 'GA1', etag, 'k')
    await contactGate(`"${(await contactGate(''))?.etag}"`)
    services.later(90_001)
    await renter.payWith('visa')
    const texts = async (subject: RegExp) =>
      (await runDueMessageJobs(services)).filter((mail) => subject.test(mail.subject)).map(({ text }) => text)
    expect(await texts(/^You're moved in/)).toEqual([expect.stringContaining('A mail says when it opens.')])
    services.later(3000)
    await contactGate(`"${(await contactGate(''))?.etag}"`)
    await watchGates(services, () => false)
    expect(await texts(/^Your gate code opens/)).toEqual([expect.stringContaining('It has now.')])
  })

  it('the confirmation says that an overlocked unit’s gate code is inactive, and ends with the lease', async () => {
    await renter.payWith('visa')
    const order = renter.ids.completedOrderId ?? ''
    const set = (columns: object) => change(services, 'leases', { order_id: order }, columns)
    const loadNote = async () => (await renter.openCompleted()).data.rental.gateNote
    const note = await loadNote()
    await set({ overlocked: 1 })
    expect(await loadNote()).toBe('Not accepted now: call us before you come')
    await set({ overlocked: 0 })
    expect(await loadNote()).toBe(note)
    await set({ status: 'Closed' })
    expect(await renter.openCompleted()).toMatchObject({ status: 302, to: '/' })
    const details = await perform(
      services,
      GetTenantUnitLeaseDetails,
      {
        location_code: 'GA1',
        tenant_id: (await loadNewLeases(services))[0]?.tenant_id,
        lease_no: (await loadNewLeases(services))[0]?.lease_number,
      },
      await loadSessionCallers(services, renter.ids, { address: '', agent: '' }),
    )
    expect(details).toMatchObject({ ok: true, value: { leaseStatus: 'Closed', gateCode: '' } })
  })

  it('the operator’s text on the confirmation includes the review link and no scripts', async () => {
    await change(
      services,
      'location_contents',
      { location_code: 'GA1' },
      {
        website_move_in_completion_screen:
          '<p onclick="x()">Good</p><script>x()</script><a href="{review_link}">Tell us</a>',
      },
    )
    await renter.payWith('visa')
    const { completion } = (await renter.openCompleted()).data.rental
    expect(completion).toContain('href="https://reviews.example/ga1"')
    expect(completion).not.toMatch(/script|onclick/)
  })

  it('bank account: the receipt and the autopay terms name it and no card', async () => {
    services.bank = till.bank
    expect((await renter.press(undefined, 'ACH')).to).toBe('/process-payment-ach')
    const { data } = await renter.get('/process-payment-ach')
    const account = { routing_number: '061000104', account_number: '000123456789', confirm_account: '000123456789' }
    const form = { quote: data.entry.agreed.value, ...account, account_name: "Rae O'Neill", account_type: 'Checking' }
    const paid = await renter.post('/process-payment-ach', form)
    expect(paid.to).toBe('/rental-completed')
    const { rental } = (await renter.openCompleted()).data
    expect(rental.receipt.paidWith).toBe('Checking ****6789')
    expect(rental.nextPayment).toMatch(/^Autopay charges \$[\d.]+ to your bank account, Checking \*{4}6789, on /)
    expect(JSON.stringify(rental)).not.toMatch(/your card|000123456789/)
  })

  it('the first decline extends no hold; the second shows the retry notice and holds the unit 24 hours', async () => {
    const hold = async () => {
      const [reservation] = await recordsOf(services, 'reservations', { status: 'active' })
      return {
        minutes: ((reservation?.hold_until ?? 0) - services.clock.now()) / 60_000,
        proven: reservation?.unproven_from === null,
      }
    }
    services.later(5 * 60_000)
    const card = await renter.submitCard('declined')
    expect(await hold()).toEqual({ minutes: 20, proven: false })
    expect((await renter.returnFromCard(card.orderId)).to).toBe('/process-payment?retry=true')
    expect(await hold()).toEqual({ minutes: 20, proven: false })
    services.later(1000)
    const retried = (await renter.openCardPage('?retry=true')).data
    await payAtHostedPage(retried.card.payPageUrl, 'expired')
    await renter.returnFromCard(retried.card.orderId)
    expect((await renter.openPaymentMethod()).data.retriesUsedUp).toBe(true)
    expect(await hold()).toEqual({ minutes: 24 * 60, proven: true })
  })

  it('each decline shows its reason, and another card can pay', async () => {
    expect((await renter.payWith('declined')).to).toBe('/process-payment?retry=true')
    services.later(1000)
    const first = (await renter.openCardPage('?retry=true')).data
    expect(first.failure).toBe('Unable to process the Payment: Declined by Issuer')
    expect((await renter.openPaymentMethod()).data.retriesUsedUp).toBe(false)
    await payAtHostedPage(first.card.payPageUrl, 'expired')
    expect((await renter.returnFromCard(first.card.orderId)).to).toBe('/payment-method')
    const { data } = await renter.openPaymentMethod()
    expect(data).toMatchObject({
      failure: 'Unable to process the Payment: Credit Card Expired',
      retriesUsedUp: true,
    })
    expect((await renter.payWith('visa')).to).toBe('/rental-completed')
  })

  it('shows the price of the selected payment method, without card fee for a bank account', async () => {
    await change(services, 'locations', { location_code: 'GA1' }, { cc_fee: 1, allow_ach: 1 })
    const { draftId } = await readyToPay(services, { answers: { autopay: false } })
    const { data } = await new Renter(services, { draftId }).openPaymentMethod()
    expect(data.prices.CC.totalCents).toBe(data.total)
    expect(data.prices.ACH.totalCents).toBe(data.bankTotal)
    expect(data.bankTotal).toBeLessThan(data.total)
    const summaryTotal = (method: string) =>
      renderTestPage(paymentMethod, { ...data, method }, '/payment-method').match(/<tfoot.*?<\/tfoot>/)?.[0]
    expect(summaryTotal('CC')).toContain(format(data.total))
    expect(summaryTotal('ACH')).toContain(format(data.bankTotal))
  })

  it('nothing due: the button says that the card is stored, also where a price must be agreed to again', async () => {
    await change(services, 'fees', { location_code: 'GA1' }, { amount: 0 })
    await change(services, 'locations', { location_code: 'GA1' }, { allow_ach: 0 })
    const ownInsurance = { carrier: 'Acme', policy_number: 'P-1', expiration_date: '2030-01-31' }
    const { draftId } = await readyToPay(services, { answers: { insurance: { status: 2 }, ownInsurance } })
    const free = new Renter(services, { draftId })
    expect((await free.openPaymentMethod()).html()).toContain('Store my card, pay $0.00')
    // An unproven renter's hold ends before the quoted price expires.
    await proveRenter(services.db.write, services, { draftId })
    await free.press()
    services.later(31 * 60 * 1000)
    expect((await free.openCardPage()).html()).toContain('Store my card, pay $0.00')
  })

  it('cancelled: returns to the payment method without an error', async () => {
    await renter.press()
    const { card } = (await renter.openCardPage()).data
    await cancelAtHostedPage(card.payPageUrl)
    const { to } = await renter.returnFromCard(card.orderId)
    expect(to).toBe('/payment-method?left=true')
    const page = await renter.get(to)
    expect(page.data).toMatchObject({ failure: null, retriesUsedUp: false })
    expect(page.html()).toContain('Nothing was charged')
    expect((await renter.openPaymentMethod()).html()).not.toContain('Nothing was charged')
    renter.ids = { draftId: renter.ids.draftId ?? '' }
    expect((await renter.get(to)).html()).not.toContain('Nothing was charged')
    expect((await renter.payWith('visa')).to).toBe('/rental-completed')
  })

  it('shows a pending payment with its order number until the provider responds', async () => {
    const card = await renter.submitCard()
    await till.fault({ kind: '500', on: 'query' })
    expect((await renter.returnFromCard(card.orderId)).data).toMatchObject({ state: 'checking', orderId: card.orderId })
    expect((await renter.returnFromCard(card.orderId)).to).toBe('/rental-completed')
  })

  it('explains an approval of a different amount and does not offer to pay again', async () => {
    const back = await renter.payWith('differs')
    const order = await recordOf(services, 'payments', { state: 'review' })
    expect(order.approved_amount).toBe(order.amount - 1_00)
    expect(back.data).toMatchObject({ state: 'review', amount: order.approved_amount })
    // A second visit shows the same amount.
    expect((await renter.returnFromCard(order.order_id)).data).toMatchObject({ amount: order.approved_amount })
    expect((await renter.openPaymentMethod()).to).toMatch(/^\/confirm-rental-payment\?order=LK/)
  })

  it.each([
    {
      what: 'of a unit rented in another browser',
      do: () => change(services, 'reservations', {}, { status: 'completed' }),
      says: ['Your money is on its way back', refundReason('already_rented'), '/rental-completed'],
    },
    {
      what: 'of a lease that was signed again',
      do: () => change(services, 'lease_documents', {}, { void: 1 }),
      says: ['Your money is on its way back', refundReason('lease_void'), '/payment-method'],
    },
    {
      what: 'without a unit left',
      do: () => change(services, 'units', {}, { status: 'off', held_by: null, held_until: null }),
      says: ['We could not keep your unit', refundReason('unit_lost'), '/storage-units'],
    },
  ])('a payment $what goes back, and the page says for which reason', async (reason) => {
    const card = await renter.submitCard()
    await reason.do()
    const { data } = await renter.returnFromCard(card.orderId)
    expect(data).toMatchObject({ state: 'refund', orderId: card.orderId })
    const html = renderTestPage(confirmRentalPayment, data)
    for (const sentence of reason.says) expect(html).toContain(sentence)
    if (reason.says[0] !== 'We could not keep your unit')
      expect(html).not.toMatch(/could not keep|no other of its type/)
  })

  it('shows no gate code and creates no account in a browser that found the reservation before it was rented', async () => {
    const own = await loadDraft(services, renter.ids.draftId as string)
    if (!own?.reservationCode) throw new Error('no reservation')
    const { locationCode, unitTypeId, tenantId, reservationCode, answers } = own
    const draftInput = { locationCode, unitTypeId, tenantId, reservationCode, answers }
    const finder = new Renter(services, {
      draftId: (await insertDraft(services.db.write, services, draftInput)).draftId,
    })
    const proven = async (browser: Renter) =>
      (await loadSessionCallers(services, browser.ids, { address: '', agent: '' })).rental?.reservationCode
    expect(await proven(finder)).toBe(reservationCode)

    expect((await renter.payWith('visa')).to).toBe('/rental-completed')
    expect((await finder.openCompleted()).to).toBe('/reservation-not-found?location=GA1&rented=1')
    const register = await finder.get('/complete-register')
    expect([register.to, finder.alert]).toEqual(['/', 'invalidSession'])
    expect(await proven(finder)).toBe(null)
    const { data } = await renter.openCompleted()
    expect(data.rental.gateCode).toMatch(/^\d{6}$/)
    expect(await proven(renter)).toBe(reservationCode)
  })

  it('opening the return page many times at once gives one lease and one result', async () => {
    const card = await renter.submitCard()
    const answers = await Promise.all(Array.from({ length: 20 }, () => renter.returnFromCard(card.orderId)))
    expect(new Set(answers.map((answer) => answer.to))).toEqual(new Set(['/rental-completed']))
    const leases = await recordsOf(services, 'leases', { order_id: card.orderId })
    expect(leases).toHaveLength(1)
  })

  it('refuses and logs an unknown order or one of another session', async () => {
    const card = await renter.submitCard()
    const other = new Renter(services, {
      draftId: (await readyToPay(services, { who: { ...contact, email: 'other@example.com' } })).draftId,
    })
    for (const order of [card.orderId, 'LK000000000000000000000000', '../x', '']) {
      other.alert = ''
      expect(await other.returnFromCard(order)).toMatchObject({ status: 302, to: '/payment-method' })
      expect(other.alert).toBe('invalidPaymentSession')
    }
    expect(services.reported).toEqual([])
    expect(services.security.recorded.filter(([event]) => event === 'order.foreign')).toHaveLength(3)
    const payment = await recordOf(services, 'payments', { order_id: card.orderId })
    expect(payment.state).toBe('presented')
  })

  it('redirects home with an alert without a session', async () => {
    const stranger = new Renter(services)
    for (const answer of [
      await stranger.returnFromCard('LK000000000000000000000000'),
      await stranger.openCompleted(),
      await stranger.openPaymentMethod(),
    ]) {
      expect(answer.to).toBe('/')
    }
    expect(stranger.alert).toBe('invalidSession')
  })

  it('opens the same card page when the button is pressed twice and in two tabs', async () => {
    const { quoteId } = (await renter.openPaymentMethod()).data
    await renter.press(quoteId)
    const first = (await renter.openCardPage()).data.card
    await renter.press((await renter.openPaymentMethod()).data.quoteId)
    const tab = new Renter(services, { draftId: renter.ids.draftId })
    expect((await tab.openCardPage()).data.card.payPageUrl).toBe(first.payPageUrl)
  })

  it('shows an expired price for agreement again before the card page opens', async () => {
    const { quoteId, total } = (await renter.openPaymentMethod()).data
    // Proving the mailbox extends the hold beyond the 30 minutes that the price is valid.
    await proveRenter(services.db.write, services, { draftId: renter.ids.draftId! })
    services.later(31 * 60 * 1000)
    expect(await renter.press(quoteId)).toMatchObject({ status: 409, data: { changes: [] } })
    expect((await renter.payWith('declined')).to).toBe('/process-payment?retry=true')
    services.later(31 * 60 * 1000)
    const { card, changed } = (await renter.openCardPage('?retry=true')).data
    expect(card).toBeNull()
    expect(changed).toMatchObject({ total })
    const answer = await renter.post('/process-payment', { quote: changed.quoteId })
    expect(answer.to).toBe('/process-payment')
    expect((await renter.openCardPage()).data.card.amount).toBe(total)
  })

  it('an expired hold leads to the unit types and charges nothing', async () => {
    const { quoteId } = (await renter.openPaymentMethod()).data
    services.later(25 * 60 * 60 * 1000)
    const answer = await renter.press(quoteId)
    expect(answer.to).toMatch(/^\/storage-units\//)
    expect(renter.alert).toBe('holdExpired')
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('reports a card page that cannot be opened where the payer can try again', async () => {
    await till.fault({ kind: '500', on: 'create', times: 2 })
    expect((await renter.press()).to).toBe('/process-payment')
    expect((await renter.openCardPage()).data).toMatchObject({ card: null, changed: null, failure: null })
    expect((await renter.openCardPage()).data.card.amount).toBe((await renter.openPaymentMethod()).data.total)
  })

  it('does not open the card page before ‘Pay’ is pressed or for a method that is not offered', async () => {
    expect((await renter.openCardPage()).to).toBe('/payment-method')
    expect((await renter.press(undefined, 'cheque')).data.fields).toEqual({ method: 'Please choose a payment method.' })
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('the frame’s return needs no session and trusts only its own order number', async () => {
    const stranger = new Renter(services)
    const { response } = await stranger.get('/card-return/LKABC?RESPONSECODE=000&next=//evil.example')
    const page = (await response?.text()) ?? ''
    expect(page).toContain(`top.location.replace('/confirm-rental-payment?order=LKABC')`)
    expect(page).toContain('<a href="/confirm-rental-payment?order=LKABC" target="_top"')
    expect(page).not.toContain('evil')
    expect(response?.headers.get('Content-Security-Policy')).toContain("script-src 'nonce-n0nce'")
    const forged = await stranger.get(`/card-return/${encodeURIComponent("x');alert(1);('")}`)
    expect(forged.status).toBe(404)
    expect(await forged.response?.text()).not.toContain('alert')
  })
})
