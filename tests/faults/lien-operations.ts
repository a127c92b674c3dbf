/**
 * Lien operations whose process office.test.ts kills: opening a case, recorded steps, payments that stop a case, the
 * sale and its surplus.
 */
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { counterPaymentShare, openTestDrawer, performOrThrow } from '../../modules/cash-drawers/testing.ts'
import { addEntries } from '../../modules/ledger/build-and-insert-entries.ts'
import { readProof } from '../../modules/liens/lien-proof-files.ts'
import { OpenLienCase } from '../../modules/liens/operations/open-lien-case.ts'
import { CloseSale } from '../../modules/liens/operations/record-sale.ts'
import { decideLienStep, formOfCase, lienStepForms, saleForm, workCase } from '../../modules/liens/testing-cases.ts'
import { moveToFictionalState } from '../../modules/liens/testing-lien-rules.ts'
import { recordAuctionRulesAcknowledgment } from '../../modules/links/record-auction-rules-acknowledgment.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { openLinkPayment } from '../../modules/payments/open/open-link-payment.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import {
  cyDues,
  leaseOf,
  type PayingServices,
  recordOf,
  recordsOf,
  startTestCheckout,
  testSubmission,
} from '../../modules/payments/testing.ts'
import type { PaymentSandbox } from '../../modules/payments/testing-card-provider.ts'
import { loadNewestEntry } from '../../modules/standing/add-staff-ledger-entries.ts'
import { updateStanding } from '../../modules/standing/update-standing.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { addRecord, lease, tenant, unit } from '../support/rows.ts'
import { visitor } from '../support/small-operator.ts'
import type { OfficeAct, People } from './killed-operation-interfaces.ts'

const OWED_CENTS = 151_37
/** Days past due at which a lease may be sold: more than `auction_after_days` (75). */
const LONG = 80
/** Days past due at which an online payment is still allowed (at most 70). */
const SHORT = 40
const SALE_CENTS = 200_00

const todayOf = (services: PayingServices): IsoDate => new Date(services.clock.now()).toISOString().slice(0, 10)

/**
 * Adds a tenant, a unit and a lease that owes `OWED_CENTS`, in the fictional state.
 * @param days number of days since the first unpaid day
 * @returns the number that the lease, the tenant and the unit share
 */
async function addPastDueLease(services: PayingServices, days: number): Promise<number> {
  if ((await recordOf(services, 'locations', { location_code: 'GA1' })).state !== 'ZZ')
    await moveToFictionalState(services)
  const number = 20_001 + (await recordsOf(services, 'leases')).filter((row) => row.lease_number > 20_000).length
  const start = addDays(todayOf(services), -days)
  const identity = { tenant_id: number, first: 'Lee', last: `Late${number}` }
  await addRecord(services, 'tenants', tenant({ ...identity, email: `lee.${number}@example.com`, email_key: '' }))
  await addRecord(services, 'units', { ...unit('GA1', number, 1, `L${number}`), status: 'rented' })
  await addRecord(
    services,
    'leases',
    lease({
      lease_number: number,
      tenant_id: number,
      unit_id: number,
      unit_number: `L${number}`,
      status: 'Past Due',
      paid_through: addDays(start, -1),
      gate_code: String(number),
    }),
  )
  const leaseKey = { location_code: 'GA1', lease_number: number }
  await services.db.transaction(async (tx) => {
    const rent = { kind: 'rent' as const, cents: OWED_CENTS, description: 'Rent', once: `period:${start}:rent` }
    await addEntries(tx, services, leaseKey, start, [{ ...rent, period: { start, end: addDays(start, 29) } }])
    await updateStanding(tx, services, leaseKey)
  })
  return number
}

async function caseOpeningForm(services: PayingServices, lease_number: number) {
  const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number })
  return {
    location_code: 'GA1',
    tenant_id: lease_number,
    lease_number,
    balance: OWED_CENTS,
    newest_entry: newest?.entry_id ?? '',
  }
}

interface LienCaseKey {
  case_id: string
  lease_number: number
}

/**
 * Opens a lien case and records its steps before `until`, each on its earliest day. At 'sale waits' the sale is
 * recorded but not confirmed; at 'sold' it is confirmed and the winner has a payment link.
 */
async function openCaseUntil(
  services: PayingServices,
  people: People,
  until: 'military' | 'notice' | 'sale waits' | 'sold',
  days = LONG,
): Promise<LienCaseKey> {
  const lease_number = await addPastDueLease(services, days)
  const opened = await performOrThrow(
    services,
    OpenLienCase,
    await caseOpeningForm(services, lease_number),
    people.manager,
  )
  const { case_id } = opened
  const goTo = (day: IsoDate) => services.later(Date.parse(`${day}T17:00:00Z`) - services.clock.now())
  const needsSale = until === 'sale waits' || until === 'sold'
  const { manager } = people
  await workCase(services, case_id, needsSale ? 'sale' : until, { manager, field: people.district, goTo })
  if (!needsSale) return { case_id, lease_number }
  const checkSteps = await recordsOf(services, 'lien_steps', { case_id, step: 'check' })
  const checkDay = checkSteps.find(({ state }) => state === 'counts')?.done_on ?? todayOf(services)
  if (todayOf(services) <= checkDay) goTo(addDays(checkDay, 1))
  await performOrThrow(services, CloseSale, { ...(await formOfCase(services, case_id)), ...saleForm }, people.district)
  if (until === 'sold') {
    const sold = await decideLienStep(services, case_id, 'confirm', people.manager)
    if (!sold.ok) throw new Error(sold.message)
  }
  return { case_id, lease_number }
}

/**
 * Opens an order for the tenant's whole balance and pays it on the card page; the order is not settled.
 * @returns the order's id
 */
async function payTenantOrder(services: PayingServices, number: number): Promise<string> {
  const page = await openCheckout(
    services,
    await startTestCheckout(services, { ...cyDues, tenantId: number, leaseNumber: number }),
    visitor(),
  )
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, 'visa')
  return page.orderId
}

async function payWinnerOrder(services: PayingServices, case_id: string): Promise<string> {
  const uuid = (await recordOf(services, 'lien_cases', { case_id })).winner_uuid ?? ''
  await recordAuctionRulesAcknowledgment(services, uuid, testSubmission)
  const page = await openLinkPayment(services, 'auction', uuid)
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, 'visa')
  return page.orderId
}

/** Returns the form that receives a check for the tenant's whole balance. Opens a drawer if none is open. */
async function checkForm(services: PayingServices, { manager }: People, { lease_number }: LienCaseKey) {
  const [open] = await recordsOf(services, 'cash_batches', { state: 'open' })
  return {
    location_code: 'GA1',
    tenant_id: lease_number,
    batch_id: open?.batch_id ?? (await openTestDrawer(services, manager)),
    method: 'check',
    check_number: `${lease_number}`,
    leases: [await counterPaymentShare(services, lease_number, OWED_CENTS)],
  }
}

/** Returns violations unless the check has exactly one receipt and one audit event. */
async function findLienReceiptViolations(services: PayingServices, { lease_number }: LienCaseKey): Promise<string[]> {
  const receipts = await recordsOf(services, 'counter_receipts', { tenant_id: lease_number })
  const auditEvents = await recordsOf(services, 'audit_events', { kind: 'payment.received', tenant_id: lease_number })
  return receipts.length === 1 && auditEvents.length === 1
    ? []
    : [`${receipts.length} receipts, ${auditEvents.length} audit events`]
}

interface Expected {
  state: 'open' | 'sold' | 'stopped' | 'surplus' | 'closed'
  /** Balance of the lease afterwards, in cents; by default what it owed before. */
  balance?: number
  /** Steps with their states in any order, such as 'military counts,notice counts'. */
  steps: string
  links?: string
  /** Number of audit events by kind, without the case's 'lien.opened'. */
  events: Record<string, number>
  surplus?: number | null
}

/**
 * Compares case, lease, steps with proofs, link, ledger and audit with what is expected.
 * @returns the differences
 */
async function findCaseViolations(
  services: PayingServices,
  { case_id, lease_number }: LienCaseKey,
  expected: Expected,
): Promise<string[]> {
  const row = await recordOf(services, 'lien_cases', { case_id })
  const leaseRow = await leaseOf(services, lease_number)
  const steps = await recordsOf(services, 'lien_steps', { case_id })
  const unread: string[] = []
  for (const step of steps) if (step.file_key && !(await readProof(services, step))) unread.push(step.step)
  const eventKinds = (await recordsOf(services, 'audit_events', { subject: case_id })).map(({ kind }) => kind)
  const ledgerBalance = (await recordsOf(services, 'ledger_entries', { lease_number })).reduce(
    (all, { cents }) => all + cents,
    0,
  )
  const actual = {
    state: row.state,
    surplus: row.surplus,
    balance: leaseRow.balance,
    ledger: ledgerBalance,
    unread,
    // Only an open or sold case holds its lease.
    holdsLease: leaseRow.lien_case === (['open', 'sold'].includes(expected.state) ? case_id : null),
    cases: (await recordsOf(services, 'lien_cases', { lease_number })).length,
    steps: sortedSteps(steps.map(({ step, state }) => `${step} ${state}`)),
    links: (await recordsOf(services, 'auction_winners', { lease_number })).map(({ state }) => state).join(),
    events: Object.fromEntries([...Map.groupBy(eventKinds, (kind) => kind)].map(([kind, all]) => [kind, all.length])),
  }
  const balance = expected.balance ?? OWED_CENTS
  const expectedFacts: typeof actual = {
    surplus: null,
    links: '',
    holdsLease: true,
    cases: 1,
    unread: [],
    ...expected,
    steps: sortedSteps(expected.steps.split(',')),
    balance,
    ledger: balance,
    events: { 'lien.opened': 1, ...expected.events },
  }
  return Object.keys(expectedFacts).flatMap((name) => {
    const [actualText, expectedText] = [actual, expectedFacts].map((facts) =>
      sorted(facts[name as keyof typeof actual]),
    )
    return actualText === expectedText ? [] : [`${name}: ${actualText}, not ${expectedText}`]
  })
}

const sortedSteps = (steps: string[]) => steps.toSorted().join()

const sorted = (value: unknown) =>
  JSON.stringify(value !== null && typeof value === 'object' ? Object.entries(value).sort() : value)

/**
 * Checks that the order is posted once and charged once at the provider.
 * @returns violations
 */
async function findOrderViolations(
  services: PayingServices,
  paymentSandbox: PaymentSandbox,
  order_id: string,
): Promise<string[]> {
  const { state, amount } = await recordOf(services, 'payments', { order_id })
  const entries = await recordsOf(services, 'ledger_entries', { order_id, kind: 'payment' })
  const moved = await paymentSandbox.moved(order_id)
  const isRight = state === 'posted' && moved.charged === amount && moved.returned === 0
  return isRight && entries.length === 1 && entries[0]?.cents === -amount
    ? []
    : [`order ${state} of ${amount}: ${JSON.stringify([entries.map(({ cents }) => cents), moved])}`]
}

const stepsBeforeSale = 'military counts,notice counts,advertisement counts,advertisement counts,check counts'

export const lienActs: readonly OfficeAct[] = [
  {
    name: 'a lien case opened',
    by: 'manager',
    async prepare(services) {
      const lease_number = await addPastDueLease(services, LONG)
      return {
        operation: 'OpenLienCase',
        input: await caseOpeningForm(services, lease_number),
        async findViolations() {
          const [row] = await recordsOf(services, 'lien_cases', { lease_number })
          if (!row) return ['there is no case']
          return findCaseViolations(services, { ...row, lease_number }, { state: 'open', steps: '', events: {} })
        },
      }
    },
  },
  {
    name: 'a notice with its proof',
    by: 'manager',
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'notice')
      const input = { ...(await formOfCase(services, lienCase.case_id)), ...lienStepForms.notice }
      const expected = {
        state: 'open',
        steps: 'military counts,notice counts',
        events: { 'lien.recorded': 2 },
      } as const
      return {
        operation: 'RecordLienStep',
        input,
        findViolations: () => findCaseViolations(services, lienCase, expected),
      }
    },
  },
  {
    name: 'a military check that stops the case',
    by: 'manager',
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'military')
      const input = { ...(await formOfCase(services, lienCase.case_id)), ...lienStepForms.military, way: 'serving' }
      const expected = {
        state: 'stopped',
        steps: 'military counts',
        events: { 'lien.recorded': 1, 'lien.stopped': 1 },
      } as const
      return {
        operation: 'RecordLienStep',
        input,
        async findViolations() {
          const { active_military } = await recordOf(services, 'tenants', { tenant_id: lienCase.lease_number })
          const flags = await recordsOf(services, 'tenant_flags', { tenant_id: lienCase.lease_number })
          const auditEvents = await recordsOf(services, 'audit_events', {
            kind: 'flag.set',
            tenant_id: lienCase.lease_number,
          })
          return [
            ...(await findCaseViolations(services, lienCase, expected)),
            ...(active_military === 1 && flags.length === 1 && auditEvents.length === 1
              ? []
              : ['the service is not on file']),
          ]
        },
      }
    },
  },
  {
    name: 'a sale confirmed by a second person',
    by: 'manager',
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'sale waits')
      const { step_id } = await recordOf(services, 'lien_steps', { case_id: lienCase.case_id, state: 'waiting' })
      const input = { ...(await formOfCase(services, lienCase.case_id)), step_id, decision: 'confirm' }
      return {
        operation: 'DecideLienStep',
        input,
        findViolations: () =>
          findCaseViolations(services, lienCase, {
            state: 'sold',
            steps: `${stepsBeforeSale},sale counts`,
            links: 'open',
            events: { 'lien.recorded': 6, 'lien.confirmed': 2 },
          }),
      }
    },
  },
  {
    name: 'a payment by card that stops a case',
    async prepare(services, paymentSandbox, people) {
      const lienCase = await openCaseUntil(services, people, 'notice', SHORT)
      const order_id = await payTenantOrder(services, lienCase.lease_number)
      const expected = { state: 'stopped', balance: 0, steps: 'military counts' } as const
      const events = { 'lien.recorded': 1, 'lien.stopped': 1 }
      return {
        operation: 'settlePayment',
        input: { order_id },
        findViolations: async () => [
          ...(await findOrderViolations(services, paymentSandbox, order_id)),
          ...(await findCaseViolations(services, lienCase, { ...expected, events })),
        ],
      }
    },
  },
  {
    name: 'a check that stops a case whose sale waits',
    by: 'manager',
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'sale waits')
      const input = await checkForm(services, people, lienCase)
      return {
        operation: 'ReceivePayment',
        input,
        findViolations: async () => [
          ...(await findLienReceiptViolations(services, lienCase)),
          ...(await findCaseViolations(services, lienCase, {
            state: 'stopped',
            balance: 0,
            steps: `${stepsBeforeSale},sale refused`,
            events: { 'lien.recorded': 6, 'lien.confirmed': 1, 'lien.stopped': 1 },
          })),
        ],
      }
    },
  },
  {
    name: 'a check after the sale, which ends the winner’s link',
    by: 'manager',
    inTests: true,
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'sold')
      const input = await checkForm(services, people, lienCase)
      return {
        operation: 'ReceivePayment',
        input,
        findViolations: async () => [
          ...(await findLienReceiptViolations(services, lienCase)),
          ...(await findCaseViolations(services, lienCase, {
            state: 'stopped',
            balance: 0,
            steps: `${stepsBeforeSale},sale counts`,
            links: 'withdrawn',
            events: { 'lien.recorded': 6, 'lien.confirmed': 2, 'lien.stopped': 1 },
          })),
        ],
      }
    },
  },
  {
    name: 'the winner’s payment, which leaves a surplus',
    async prepare(services, paymentSandbox, people) {
      const lienCase = await openCaseUntil(services, people, 'sold')
      const order_id = await payWinnerOrder(services, lienCase.case_id)
      return {
        operation: 'settlePayment',
        input: { order_id },
        findViolations: async () => [
          ...(await findOrderViolations(services, paymentSandbox, order_id)),
          ...(await findCaseViolations(services, lienCase, {
            state: 'surplus',
            balance: OWED_CENTS - SALE_CENTS,
            surplus: SALE_CENTS - OWED_CENTS,
            links: 'paid',
            steps: `${stepsBeforeSale},sale counts`,
            events: { 'lien.recorded': 6, 'lien.confirmed': 2, 'lien.sold': 1 },
          })),
        ],
      }
    },
  },
  {
    name: 'a surplus paid out',
    async prepare(services, _, people) {
      const lienCase = await openCaseUntil(services, people, 'sold')
      await settlePayment(services, await payWinnerOrder(services, lienCase.case_id))
      const input = { ...(await formOfCase(services, lienCase.case_id)), to: 'tenant', how: 'check 1042' }
      return {
        operation: 'PaySurplus',
        input,
        async findViolations() {
          const payouts = await recordsOf(services, 'ledger_entries', {
            lease_number: lienCase.lease_number,
            kind: 'refund',
          })
          const reasons = await recordsOf(services, 'entry_reasons', { entry_id: payouts[0]?.entry_id ?? '' })
          const isPaidOnce =
            payouts.length === 1 && payouts[0]?.cents === SALE_CENTS - OWED_CENTS && reasons.length === 1
          return [
            ...(isPaidOnce ? [] : [`paid out ${JSON.stringify(payouts.map(({ cents }) => cents))}`]),
            ...(await findCaseViolations(services, lienCase, {
              state: 'closed',
              balance: 0,
              surplus: SALE_CENTS - OWED_CENTS,
              links: 'paid',
              steps: `${stepsBeforeSale},sale counts`,
              events: { 'lien.recorded': 6, 'lien.confirmed': 2, 'lien.sold': 1, 'lien.closed': 1 },
            })),
          ]
        },
      }
    },
  },
]
