import { afterEach, beforeEach, expect, it } from 'vitest'
import { format, toWire } from '../../domain/money.ts'
import { loadFacilityFacts } from '../../modules/facilities/facility-facts-for-pricing.ts'
import { loadRentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { loadBalance } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { previewLease } from '../../modules/move-in/sign-lease.ts'
import { loadCompletedRental } from '../../modules/move-in/views/completed-rental.ts'
import { payMoveInByBank } from '../../modules/payments/bank/bank-debit.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openMoveInPayment } from '../../modules/payments/open/open-move-in-payment.ts'
import { GetPaymentHistory_V1 } from '../../modules/payments/operations/get-payment-history-v1.ts'
import { GetTenantLastPaymentDetails } from '../../modules/payments/operations/get-tenant-last-payment-details.ts'
import { decideReview } from '../../modules/payments/payment-reviews-and-failed-refunds.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import { loadPaymentFacts } from '../../modules/payments/receipt.ts'
import type { CheckoutTerms } from '../../modules/payments/rules/checkout-terms.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { loadNewLeases } from '../../modules/payments/testing-invariants.ts'
import { readyToPay, reloadDraft, saveTestAnswers } from '../../modules/payments/testing-rent-until-card-page.ts'
import { GetFeesandCharges } from '../../modules/pricing/operations/get-fees-and-charges.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { loadJourneyFacts } from '../../modules/reservations/load-draft-facts.ts'
import { GetMoveInCostAll } from '../../modules/reservations/operations/get-move-in-cost-of-unit.ts'
import { type Answers, isSignatureValid } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { firstIncomplete } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { loadTimeline } from '../../modules/tenant-view/views/timeline.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, visitor, withDraft } from '../../tests/support/small-operator.ts'
import { cyDues, openTestCardPage, payByTestCard, signInTenantBrowser } from './testing.ts'

const { till, folder } = sandboxForTests('one-sum')
const by = { address: '198.51.100.7', agent: 'test browser' }
const account = { name: "Rae O'Neill", routing: '061000104', account: '000123450000', type: 'Checking' as const }

describeOnBothEngines('One sum', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
  })
  afterEach(() => services.db.close())

  const moveIn = async (answers: Partial<Answers>, card: TestCardName = 'visa') => {
    const draft = await readyToPay(services, { answers })
    const quote = await storeQuote(services, draft)
    const page = await openMoveInPayment(services, draft, { quoteId: quote?.quoteId ?? '' })
    if (!page.ok) throw new Error(page.why)
    await payAtHostedPage(page.payPageUrl, card)
    await settlePayment(services, page.orderId)
    return page
  }
  const findMail = async (subject: RegExp) => {
    await services.runDueJobs()
    const mails = await recordsOf(services, 'mailbox')
    return mails.find((mail) => subject.test(mail.subject))
  }
  const loadNextPayment = async (tenantId: number, leaseNumber: number) => {
    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    const rented = facts && (await loadRentedUnits(services, facts, { locationCode: 'GA1', tenantId }))
    const unit = rented?.units.find((candidate) => candidate.leaseNumber === leaseNumber)
    if (!unit) throw new Error('There is no such unit')
    return unit.next
  }

  it('without autopay: the lease states the price of each way to pay, and the completed rental the next payment', async () => {
    const draft = await readyToPay(services, { answers: { autopay: false } })
    const byBank = await saveTestAnswers(services, draft, { paymentMethod: 'ACH' })
    const { sections } = await previewLease(services, byBank)
    const quote = await storeQuote(services, byBank)
    const total = quote?.total ?? 0
    expect(JSON.stringify(sections)).toContain(`"Due today","${format(total)}"`)
    // The lease for a card payment states the card total, with the bank total beside it.
    const { sections: cardSections } = await previewLease(services, {
      ...draft,
      answers: { ...draft.answers, paymentMethod: 'CC' },
    })
    expect(JSON.stringify(cardSections)).toContain(`"Due today","${format(total + 2_14)}"`)
    expect(JSON.stringify(cardSections)).toContain(`${format(total)} is due today and `)
    const paid = await payMoveInByBank(
      services,
      byBank,
      { quoteId: quote?.quoteId ?? '', account, by },
      { pause: async () => {} },
    )
    expect(paid).toMatchObject({ ok: true, paid: { state: 'posted' } })
    const [lease] = await loadNewLeases(services)
    const rental = await loadCompletedRental(services, { orderId: lease?.order_id ?? '' })
    expect(rental?.receipt?.totalCents).toBe(total)
    const next = await loadNextPayment(lease?.tenant_id ?? 0, lease?.lease_number ?? 0)
    expect(rental?.nextPayment).toContain(`${format(next.cents)} is due on`)
  })

  it('card without autopay: page, mail and unit state the same next payment, and the page the card fee on top', async () => {
    const { orderId, amount } = await moveIn({ autopay: false })
    const [lease] = await loadNewLeases(services)
    const next = await loadNextPayment(lease?.tenant_id ?? 0, lease?.lease_number ?? 0)
    const rental = await loadCompletedRental(services, { orderId })
    expect(rental?.nextPayment).toContain(`${format(next.cents)} is due on`)
    expect(rental?.nextPayment).toContain('Paid by card without autopay, $2.14 comes on top')
    expect(rental?.receipt).toMatchObject({ totalCents: amount })
    const mail = await findMail(/moved in/)
    expect(mail?.text).toContain(`Your next payment of ${format(next.cents)} is due`)
  })

  it('an approval that differs and is counted: the page and the receipt show what was charged', async () => {
    const { orderId, amount } = await moveIn({}, 'differs')
    expect(await decideReview(services, orderId, 'post')).toMatchObject({ ok: true })
    const charged = (await till.moved(orderId)).charged
    expect(charged).not.toBe(amount)
    const receipt = (await loadCompletedRental(services, { orderId }))?.receipt
    expect(receipt?.totalCents).toBe(charged)
    expect(receipt?.lines.at(-1)).toEqual({ label: 'Charged differently', cents: charged - amount })
    expect((await loadPaymentFacts(services, orderId))?.lines).toEqual(receipt?.lines)
  })

  it('nothing due at move-in: stores the card and shows no payment in the history', async () => {
    await change(services, 'fees', { location_code: 'GA1' }, { amount: 0 })
    const own = { carrier: 'Acme', policy_number: 'P-1', expiration_date: '2030-01-31' }
    const { orderId, amount } = await moveIn({ insurance: { status: 2 }, ownInsurance: own })
    expect(amount).toBe(0)
    const [lease] = await loadNewLeases(services)
    expect(lease).toMatchObject({ order_id: orderId, autopay: 1, paid_through: '2026-12-19' })
    const tenantKey = { location_code: 'GA1', tenant_id: lease?.tenant_id ?? 0 }
    const tenancy = { locationCode: 'GA1', tenantId: tenantKey.tenant_id }
    const renter: Callers = { ...visitor(), tenant: { accountId: 'renter', tenants: [tenancy] } }
    expect(await perform(services, GetPaymentHistory_V1, tenantKey, renter)).toMatchObject({ value: { Payment: [] } })
    expect(await perform(services, GetTenantLastPaymentDetails, tenantKey, renter)).toMatchObject({
      value: { dateTime: '' },
    })
    expect(await findMail(/^Receipt/)).toBeUndefined()
  })

  it('asks again for insurance that is no longer offered, before signature and payment', async () => {
    const draft = await readyToPay(services, { answers: { insurance: { status: 1, schemeId: 1 } } })
    const earlierQuote = await storeQuote(services, draft)
    await services.db.write.deleteFrom('insurance_schemes').where('scheme_id', '=', 1).execute()
    const facts = await loadJourneyFacts(services, draft, { signedIn: false })
    if (!facts) throw new Error('There is no facility')
    expect(isSignatureValid(facts)).toBe(false)
    expect(firstIncomplete(facts).path).toBe('/insurance-schemes')
    const now = await storeQuote(services, draft)
    // The quote is not free of insurance: it assumes the cheapest scheme, as before the question was answered.
    expect(now?.charges.insurance.amount).toBe(12_00)
    expect(await openMoveInPayment(services, draft, { quoteId: earlierQuote?.quoteId ?? '' })).toMatchObject({
      ok: false,
      why: 'not_signed',
    })
    expect(await loadNewLeases(services)).toEqual([])
  })

  it('keeps the insurance of a completed rental', async () => {
    await moveIn({ insurance: { status: 1, schemeId: 1 } })
    const [lease] = await loadNewLeases(services)
    await services.db.write.deleteFrom('insurance_schemes').where('scheme_id', '=', 1).execute()
    const { draft_id } = await recordOf(services, 'payments')
    const facts = await loadJourneyFacts(services, await reloadDraft(services, draft_id ?? undefined), {
      signedIn: false,
    })
    expect(facts?.answers.insurance).toEqual({ status: 1, schemeId: 1 })
    expect(lease).toMatchObject({ insurance_status: 1, insurance_premium: 24_00 })
  })

  it('charges the agreed tax on the card fee, even if the rate changes before posting', async () => {
    const page = await openTestCardPage(services, cyDues)
    await change(services, 'locations', { location_code: 'GA1' }, { fee_tax_rate: 2000 })
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    expect(await loadBalance(services.db.read, 'GA1', 10002)).toBe(0)
    expect((await loadPaymentFacts(services, page.orderId))?.lines.at(-1)).toEqual({ label: 'Tax on fees', cents: 14 })
  })

  it('autopay only: the receipt mentions no payment where nothing was due', async () => {
    const ada = await signInTenantBrowser(services, 'ada')
    const read = async (terms: Pick<CheckoutTerms, 'pays' | 'autopay'>) => {
      const orderId = await payByTestCard(services, { ...cyDues, tenantId: 1001, leaseNumber: 10001, ...terms })
      return (await ada.get(`/receipt/${orderId}`)).html()
    }
    const nothing = await read({ pays: 'autopay', autopay: true })
    expect(nothing).toContain('Nothing was due')
    expect(nothing).not.toMatch(/received|Paid with/)
    expect(await read({ pays: 'prepay', autopay: true })).toContain('We received $151.37')
  })

  it('with a credit: the autopay consent states what will be charged and when', async () => {
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'credit',
        cents: -200_00,
        description: 'Goodwill',
        once: 'credit',
      }),
    )
    const started = await startCheckout(services, {
      ...cyDues,
      tenantId: 1001,
      leaseNumber: 10001,
      pays: 'autopay',
      autopay: true,
    })
    const next = await loadNextPayment(1001, 10001)
    expect(next).toEqual({ on: '2026-12-31', cents: 2 * 151_37 - 200_00 })
    expect(started).toMatchObject({
      checkout: {
        autopayConsent: expect.stringContaining(`next ${format(next.cents)} on Thursday, 12/31/2026,`),
      },
    })
  })

  it('keeps a reservation’s discount when the operator changes or withdraws it before the move-in', async () => {
    const draft = await readyToPay(services, { unitTypeId: 2 })
    const agreedQuote = await storeQuote(services, draft)
    expect(agreedQuote?.charges.discountDescription).toBe('50% Off')
    const now = async () => (await storeQuote(services, draft))?.charges
    const half = services.db.write
      .updateTable('discounts')
      .where('location_code', '=', 'GA1')
      .where('discount_id', '=', 4)
    await half.set({ amount: 10_00, description: '10% Off' }).execute()
    expect(await now()).toEqual(agreedQuote?.charges)
    await services.db.write.deleteFrom('discounts').where('location_code', '=', 'GA1').execute()
    expect(await now()).toEqual(agreedQuote?.charges)
    const facts = await loadJourneyFacts(services, draft, { signedIn: false })
    expect(facts && isSignatureValid(facts)).toBe(true)
    expect(await openMoveInPayment(services, draft, { quoteId: agreedQuote?.quoteId ?? '' })).toMatchObject({
      ok: true,
      amount: agreedQuote?.total,
    })
  })

  it('tells a kiosk the amount that will be charged for its reserved unit', async () => {
    const draft = await readyToPay(services, { unitTypeId: 2 })
    await change(services, 'unit_types', { unit_type_id: 2 }, { rent: 999_00 })
    await change(services, 'discounts', { discount_id: 4 }, { amount: 10_00 })
    const input = { location_code: 'GA1', UnitId: '4', MoveInDate: '11/20/2026', DiscountId: '4', InsuranceId: '2' }
    const charged = await storeQuote(services, draft)
    expect(await perform(services, GetMoveInCostAll, input, await withDraft(services, draft.draftId))).toMatchObject({
      value: {
        RentDetails: { TotalRentAmount: '150.00' },
        DiscountDetails: { DiscountValue: '75.00', Description: '50% Off' },
        TotalDue: toWire(charged?.total ?? 0),
      },
    })
    expect(await perform(services, GetMoveInCostAll, input, visitor())).toMatchObject({
      value: { RentDetails: { TotalRentAmount: '999.00' }, DiscountDetails: { DiscountValue: '99.90' } },
    })
  })

  it('shows a changed rent before autopay is agreed to', async () => {
    const started = await startCheckout(services, { ...cyDues, autopay: true })
    if (!started.ok) throw new Error(started.message)
    await change(services, 'leases', { lease_number: 10002 }, { rent: 200_00 })
    const outcome = await openCheckout(services, started.checkout, by)
    expect(outcome).toMatchObject({
      ok: false,
      why: 'price_changed',
      changes: [{ label: expect.stringMatching(/^Autopay charges \$217\.80 on /), before: null, now: null }],
      now: { price: { CC: { total: 151_37 } } },
    })
    const now = !outcome.ok && outcome.why === 'price_changed' ? outcome.now : started.checkout
    expect(now.autopayConsent).toContain('next $217.80 on')
    expect(await openCheckout(services, now, by)).toMatchObject({ ok: true, amount: 151_37 })
  })

  it('states the same 24-hour access fee in the list of fees and in a move-in’s quote', async () => {
    await change(services, 'location_contents', { location_code: 'GA1' }, { fee_for_24hr_access: 17_50 })
    const fees = await perform(services, GetFeesandCharges, { location_code: 'GA1' }, asAda)
    expect(fees).toMatchObject({
      value: { Fee: expect.arrayContaining([expect.objectContaining({ FeeId: 2, Amount: '17.50' })]) },
    })
    const draft = await readyToPay(services, { answers: { fullDayAccess: true } })
    expect((await storeQuote(services, draft))?.charges.lines).toContainEqual(
      expect.objectContaining({ kind: 'access', cents: 17_50 }),
    )
  })

  it('shows payer and office the same amount of an approval that differs', async () => {
    const order = await payByTestCard(services, cyDues, 'differs')
    const { amount, approved_amount: approved } = await recordOf(services, 'payments', { order_id: order })
    expect(approved).toBe(amount - 1_00)
    const cy = await signInTenantBrowser(services, 'cy')
    const loadOutcome = async () => (await cy.get(`/checkout-completed?order=${order}`)).data
    expect(await loadOutcome()).toMatchObject({ state: 'review', amount: approved })
    const file = { locationCode: 'GA1', tenantId: 1002, accountId: null, leaseNumbers: [10002], reservationCodes: [] }
    const { items } = await loadTimeline(services, file, null)
    expect(items.find(({ id }) => id === order)?.text).toContain(format(approved ?? 0))
    expect((await loadPaymentFacts(services, order))?.total).toBe(approved)
    await decideReview(services, order, 'refund')
    expect(await loadOutcome()).toMatchObject({ state: 'refund', amount: approved })
  })
})
