/**
 * Tests that tables, log, session, cookies, files and responses contain no card number, and account numbers only
 * encrypted, after move-in, tenant, guest, link and autopay payments, and after numbers were sent where none belongs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { signIn } from '../modules/accounts/sessions.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import { autopayPartyOf } from '../modules/leases/autopay-mandate.ts'
import { makeAuctionLink, makeSettlementLink } from '../modules/links/auction-and-settlement-link-records.ts'
import { recordAuctionRulesAcknowledgment } from '../modules/links/record-auction-rules-acknowledgment.ts'
import { runAutopay } from '../modules/payments/autopay/charge-autopay.ts'
import { payCheckoutByBank, payMoveInByBank } from '../modules/payments/bank/bank-debit.ts'
import { openCheckout } from '../modules/payments/open/open-checkout.ts'
import { openLinkPayment } from '../modules/payments/open/open-link-payment.ts'
import { decideReview, loadPaymentsInReview } from '../modules/payments/payment-reviews-and-failed-refunds.ts'
import { startCheckout } from '../modules/payments/price-checkout.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import type { CheckoutTerms } from '../modules/payments/rules/checkout-terms.ts'
import { settlePayment } from '../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../modules/payments/settle-pending-payments.ts'
import { openPayingServices, type PayingServices } from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { openTestCardPage, readyToPay, saveTestAnswers } from '../modules/payments/testing-rent-until-card-page.ts'
import { loadCheckout } from '../modules/payments/views/own-checkout.ts'
import { reverseReturnedDebits } from '../modules/refunds/reverse-payments-returned-by-bank.ts'
import { storeQuote } from '../modules/reservations/draft-quote.ts'
import { postCharge } from '../modules/standing/post-entries.ts'
import { BankUnavailable } from '../ports/bank/bank.ts'
import { loggedErrors } from '../ports/errors/log.ts'
import { instrumented } from '../ports/instrumented.ts'
import { payAtHostedPage } from '../sandbox/submit-card-page-in-tests.ts'
import { TEST_CARDS } from '../sandbox/test-cards.ts'
import { countBusinessEvents } from '../server/count-events-and-calls-in-metrics.ts'
import { openMetrics } from '../server/metrics.ts'
import { openSession } from '../server/web/session.ts'
import { describeOnBothEngines } from './support/databases.ts'
import { cookieKeys, createTestSite } from './support/site.ts'
import { contact, visitor } from './support/small-operator.ts'

const { till, folder } = sandboxForTests('no-numbers')

const by = { address: '198.51.100.7', agent: 'test browser' }
/** Beginning of every account number. Only the last four digits may be stored or logged openly. */
const START = '70419386'
const account = (ending: string) => ({
  name: "Rae O'Neill",
  routing: '061000104',
  account: `${START}${ending}`,
  type: 'Checking' as const,
})
const terms: CheckoutTerms = {
  payer: 'tenant',
  locationCode: 'GA1',
  tenantId: 1002,
  leaseNumber: 10002,
  pays: 'dues',
  periods: 1,
  autopay: true,
}

const contents = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describeOnBothEngines('Stored and logged data of a payment', (open) => {
  it('contains no card number, and account numbers only encrypted, after payments by card, bank, link and autopay', async () => {
    const services: PayingServices = await openPayingServices(await open(), till, folder)
    const logLines: string[] = []
    // This log lacks the redaction list of the site’s log, so the logged data must be clean by itself.
    const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) })
    services.errors = loggedErrors(log)
    services.businessEvents = countBusinessEvents(openMetrics(), log, 'info')
    services.cardProvider = instrumented('card', services.cardProvider, (call) => log.info(call, 'partner called'))
    const bank = till.bank
    services.bank = bank
    const options = { pause: async () => {} }
    let charges = 0
    const addFee = async (leaseNumber = 10002) => {
      charges += 1
      await services.db.transaction((tx) =>
        postCharge(tx, services, {
          locationCode: 'GA1',
          leaseNumber,
          once: `lock ${charges}`,
          kind: 'fee',
          cents: 25_00,
          description: 'Lock cut',
        }),
      )
    }
    const checkout = async (more: Partial<CheckoutTerms> = {}) => {
      const started = await startCheckout(services, { ...terms, ...more })
      const loaded = started.ok ? await loadCheckout(services, started.checkoutId) : null
      if (!loaded) throw new Error(started.ok ? 'no checkout' : started.message)
      return loaded
    }
    const cards: string[] = []
    const payAtCardPage = async (url: string, card: keyof typeof TEST_CARDS, orderId: string) => {
      cards.push(TEST_CARDS[card].number)
      await payAtHostedPage(url, card).catch(() => {
        // Settling decides the outcome, whatever the card page answered.
      })
      return settlePayment(services, orderId)
    }

    const moveIn = await openTestCardPage(services, await readyToPay(services))
    expect((await payAtCardPage(moveIn.payPageUrl, 'amex', moveIn.orderId)).state).toBe('posted')
    const other = await readyToPay(services, {
      who: { ...contact, email: 'other@example.com' },
      answers: { autopay: true },
    })
    const draft = await saveTestAnswers(services, other, { paymentMethod: 'ACH' })
    const quoteId = (await storeQuote(services, draft))?.quoteId ?? ''
    const paidByBank = await payMoveInByBank(services, draft, { quoteId, account: account('3333'), by }, options)
    expect(paidByBank).toMatchObject({ ok: true, paid: { state: 'posted' } })
    for (const card of ['declined', 'expired', 'garbled', 'visa', 'differs'] as const) {
      await addFee()
      const page = await openCheckout(services, await checkout(), by)
      if (page.ok) await payAtCardPage(page.payPageUrl, card, page.orderId)
      services.later(60_000)
      await reconcilePayments(services)
    }
    for (const { order_id } of await loadPaymentsInReview(services)) await decideReview(services, order_id, 'refund')
    await processRefunds(services)
    for (const ending of ['1111', '2222', '4444', '5555', '0000']) {
      await addFee()
      await payCheckoutByBank(services, await checkout({ payer: 'guest' }), { account: account(ending), by }, options)
      services.later(60_000)
      await reconcilePayments(services)
    }
    await addFee()
    await addFee(10001)
    const settlementLink = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 10_00 })
    const winner = { cents: 80_00, name: 'Wim Tesh', email: 'wim@example.com', city: 'Atlanta', zip: '30308' }
    const auctionLink = await makeAuctionLink(services, { locationCode: 'GA1', unitNumber: '301', ...winner })
    for (const [kind, link] of [
      ['settlement', settlementLink],
      ['auction', auctionLink],
    ] as const) {
      if (!link.ok) throw new Error(link.why)
      if (kind === 'auction') await recordAuctionRulesAcknowledgment(services, link.uuid, { address: '', agent: '' })
      const page = await openLinkPayment(services, kind, link.uuid)
      if (!page.ok) throw new Error(page.why)
      expect((await payAtCardPage(page.payPageUrl, 'discover', page.orderId)).state).toBe('posted')
    }

    const site = createTestSite(services, { log })
    const session = await openSession(null, cookieKeys, false, services.clock)
    session.set({ token: await signIn(services.db.write, services, 'cy', visitor()), orderId: moveIn.orderId })
    const cookie = (await session.cookies()).map((line) => line.split(';')[0]).join('; ')
    const answers: string[] = []
    const cookies: string[] = []
    const visa = TEST_CARDS.visa.number
    const spaced = visa.replace(/(.{4})(?=.)/g, '$1 ')
    const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
      const answer = await site.request(path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', cookie, ...headers },
      })
      answers.push(await answer.text())
      cookies.push(...answer.headers.getSetCookie())
      return answer.status
    }
    const lease = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 }
    const byAccount = { ACHAccountNumber: `${START}7777`, ACHRoutingNumber: '061000104' }
    for (const number of [visa, spaced]) {
      await send('/api/ssm/ProcessPayment_V2', JSON.stringify({ ...lease, order_id: moveIn.orderId, cc_no: number }))
      await send('/api/paygateway/directpay/express', JSON.stringify({ order_id: number }))
      await send('/api/ssm/login', JSON.stringify({ username: number, password: number }))
      await send('/api/ssm/GetLocationUnitTypes', JSON.stringify({ location_code: number }))
      await send(`/api/ssm/${encodeURIComponent(number)}?card=${encodeURIComponent(number)}`, `{"card": "${number}"`)
      await send('/api/ssm', `<Pay><cc_no>${number}</cc_no`, { 'Content-Type': 'text/xml', 'User-Agent': number })
    }
    await send('/api/ssm/ProcessACHPayments', JSON.stringify({ ...lease, amount: '1.00', ...byAccount }))
    await send('/api/ssm/ProcessACHPayments', `{"ACHAccountNumber": "${START}7777"`)
    await addFee()
    const bankError = (card: string) =>
      new BankUnavailable('status', `The account_number=${START}7777 of ${card} is not known`)
    services.bank = {
      ...bank,
      validateAccount: () => Promise.reject(bankError(visa)),
      debit: () => Promise.reject(bankError(visa)),
    }
    await payCheckoutByBank(services, await checkout(), { account: account('7777'), by }, options)
    services.bank = bank

    const leases = await services.db.read.selectFrom('leases').selectAll().execute()
    const autopayParties = leases.map((lease) => autopayPartyOf(services, lease)).filter((party) => party !== null)
    services.later(3 * 24 * 3_600_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    services.later(30 * 24 * 3_600_000)
    await runBilling(services)
    await runAutopay(services)
    await services.runDueJobs()

    const tables = (await services.db.read.introspection.getTables()).map((table) => table.name)
    expect(tables.length).toBeGreaterThan(30)
    const places: Record<string, string> = {
      log: logLines.join('\n'),
      answers: answers.join('\n'),
      cookies: cookies.join('\n'),
      session: JSON.stringify(session.ids),
      files: contents(folder),
    }
    for (const table of tables)
      places[`table ${table}`] = JSON.stringify(
        await services.db.read
          .selectFrom(table as never)
          .selectAll()
          .execute(),
      )
    for (const [place, text] of Object.entries(places)) {
      for (const number of new Set([...cards, visa])) {
        for (const spelling of [number, number.replace(/(.{4})(?=.)/g, '$1 '), number.replace(/(.{4})(?=.)/g, '$1-')])
          expect(text.includes(spelling), `${spelling} in the ${place}`).toBe(false)
      }
      expect(text.includes(START), `an account number in the ${place}`).toBe(false)
    }
    // The search would find numbers: it finds the last four digits, which are stored openly. Accounts can be decrypted.
    for (const fragment of ['***********0005', 'Checking ****3333', '"payer":"auction"', '"payer":"autopay"'])
      expect(places['table payments']?.includes(fragment), fragment).toBe(true)
    expect(autopayParties).toContainEqual(account('3333'))
    expect(logLines.length).toBeGreaterThan(5)
    const sealed = (await services.db.read.selectFrom('payments').selectAll().execute()).flatMap(
      (row) => row.bank_sealed ?? [],
    )
    for (const value of sealed) expect(Buffer.from(value, 'base64').includes(START)).toBe(false)
  }, 60_000)
})
