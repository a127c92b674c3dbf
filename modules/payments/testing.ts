/** Test services whose payments go to the sandbox, and the checkouts, accounts and links of test tenants. */
import { join } from 'node:path'
import type { Database } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import type { BankAccount } from '../../ports/bank/bank.ts'
import { edgeExpress } from '../../ports/card-provider/edge-express.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { capturedMail } from '../../ports/mail/captured.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { setAutopay } from '../leases/autopay-mandate.ts'
import { makeAuctionLink, makeSettlementLink } from '../links/auction-and-settlement-link-records.ts'
import { recordAuctionRulesAcknowledgment } from '../links/record-auction-rules-acknowledgment.ts'
import { createMailbox } from '../messages/development-mailbox.ts'
import { messageJobHandlers } from '../messages/message-handlers.ts'
import { scheduleMoveOut } from '../move-outs/schedule-and-cancel-move-out.ts'
import { postPayment, postPeriods } from '../standing/post-entries.ts'
import { startCheckout } from './price-checkout.ts'
import type { Checkout, CheckoutTerms } from './rules/checkout-terms.ts'
import type { PaymentSandbox } from './testing-card-provider.ts'
import { loadCheckout } from './views/own-checkout.ts'

export { change, recordOf, recordsOf } from '../../tests/support/rows.ts'

export interface PayingServices extends TestServices {
  reported: unknown[]
  runDueJobs(through?: Mail): Promise<number>
  later(milliseconds: number): void
}

/**
 * Number of test services opened for each payment sandbox. It seeds the services' random numbers, so that these do not
 * depend on other test files of the same worker.
 */
const openedCounts = new WeakMap<PaymentSandbox, number>()

export async function openPayingServices(db: Database, till: PaymentSandbox, folder: string): Promise<PayingServices> {
  const services = await openTestServices(db)
  // The test operator has two imported leases, 10001 and 10002.
  await db.transaction((tx) => advanceSequence(tx, 'GA1', 'lease', 10_002))
  return connectServices(services, till, folder)
}

/** Connects test services to the sandbox; `later` advances both clocks. */
export function connectServices(services: TestServices, till: PaymentSandbox, folder: string): PayingServices {
  const { db } = services
  const opened = (openedCounts.get(till) ?? 0) + 1
  openedCounts.set(till, opened)
  till.clock.now = services.clock.now()
  const reported: unknown[] = []
  const files = folderFiles(join(folder, `files-${opened}`))
  const mail = capturedMail({ mailbox: createMailbox(db), files, clock: services.clock })
  const silent = { warn: () => {}, error: () => {} }
  return Object.assign(services, {
    random: seededRandom(1000 + opened),
    files,
    errors: { report: (error: unknown) => void reported.push(error) },
    cardProvider: edgeExpress({ baseUrl: till.sandbox.url, credentials: SANDBOX_CREDENTIALS, timeoutMs: 2000 }),
    reported,
    runDueJobs: (through: Mail = mail) =>
      new JobRunner({
        db,
        clock: services.clock,
        handlers: messageJobHandlers(services, { mail: through, from: 'Storage <desk@storage.example>' }),
        log: silent,
        onDead: () => {},
      }).runDue(),
    later(milliseconds: number) {
      services.clock.advance(milliseconds)
      till.clock.now = services.clock.now()
    },
  })
}

/** IP address and user agent of the payer. */
export const testSubmission = { address: '198.51.100.7', agent: 'test browser' }

export const bankAccount = (ending: string): BankAccount => ({
  name: "Rae O'Neill",
  routing: '061000104',
  account: `00012345${ending}`,
  type: 'Checking',
})

export const cyDues: CheckoutTerms = {
  payer: 'tenant',
  locationCode: 'GA1',
  tenantId: 1002,
  leaseNumber: 10002,
  pays: 'dues',
  periods: 1,
  autopay: false,
}
export const adaPrepays: CheckoutTerms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' }

export const autopayTerms: CheckoutTerms = { ...adaPrepays, pays: 'autopay', autopay: true }

export async function startTestCheckout(services: TestServices, terms: CheckoutTerms): Promise<Checkout> {
  const started = await startCheckout(services, terms)
  const checkout = started.ok ? await loadCheckout(services, started.checkoutId) : null
  if (!checkout) throw new Error(started.ok ? 'no checkout' : started.message)
  return checkout
}

export const turnAutopayOn = (services: TestServices, leaseNumber: number, party: { alias: string } | BankAccount) =>
  services.db.transaction((tx) =>
    setAutopay(
      tx,
      services,
      { location_code: 'GA1', lease_number: leaseNumber },
      {
        ...('alias' in party
          ? { method: 'CC' as const, label: 'VI **** 1111' }
          : { method: 'ACH' as const, label: `Checking ****${party.account.slice(-4)}` }),
        party,
        consentText: 'I agree.',
        consentAt: services.clock.now(),
      },
    ),
  )

export const scheduleTestMoveOut = (services: TestServices, leaseNumber: number, date: string) =>
  scheduleMoveOut(services, {
    locationCode: 'GA1',
    leaseNumber,
    date,
    vacateReasonId: 1,
    customNote: '',
    feedback: null,
    note: '',
    mail: false,
  })

export const winner = {
  locationCode: 'GA1',
  unitNumber: '302',
  name: 'Wim Tesh',
  email: 'wim@example.com',
  city: 'Atlanta',
  zip: '30308',
}

async function uuidOfLink(creation: Promise<{ ok: true; uuid: string } | { ok: false; why: string }>): Promise<string> {
  const link = await creation
  if (!link.ok) throw new Error(link.why)
  return link.uuid
}

export const createSettlementLink = (services: TestServices, cents = 90_00) =>
  uuidOfLink(makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents }))

/** Creates the link of unit 302's auction, whose winner has acknowledged the rules. */
export async function createAcknowledgedAuction(
  services: TestServices,
  more: { cents?: number } = {},
): Promise<string> {
  const uuid = await uuidOfLink(makeAuctionLink(services, { ...winner, ...more }))
  await recordAuctionRulesAcknowledgment(services, uuid, testSubmission)
  return uuid
}

export const payAtCounter = (services: TestServices, leaseNumber: number, cents: number, orderId = 'COUNTER0001') =>
  services.db.transaction((tx) =>
    postPayment(tx, services, {
      locationCode: 'GA1',
      leaseNumber,
      cents,
      orderId,
      description: 'At the counter',
    }),
  )

/**
 * Charges the lease's next period.
 * @returns its price, in cents
 */
export async function chargeNextPeriod(services: TestServices, leaseNumber: number): Promise<number> {
  const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
  if (!facts) throw new Error('There is no facility')
  const lease = await leaseOf(services, leaseNumber)
  const { cents } = await services.db.transaction((tx) => postPeriods(tx, services, facts, lease, 1))
  return cents
}

export const leaseOf = (services: TestServices, leaseNumber: number) =>
  recordOf(services, 'leases', { lease_number: leaseNumber })
