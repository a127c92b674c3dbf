/**
 * Move-ins paid by card, for tests: the small operator with the real adapter talking to the real sandbox over
 * loopback HTTP, a renter who has signed, and the invariants that hold whatever went wrong.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Answers } from '../../domain/journey/answers.ts'
import { numbersTaken } from '../../platform/database/numbering.ts'
import type { Database, DatabasePlace, Transaction } from '../../platform/database/open.ts'
import { JobRunner } from '../../platform/jobs/runner.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Bank, BankAccount } from '../../ports/bank/bank.ts'
import { httpBank } from '../../ports/bank/http.ts'
import { edgeExpress } from '../../ports/card-provider/edge-express.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { capturedMail } from '../../ports/mail/captured.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { seededRandom } from '../../ports/testing.ts'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { placeOf } from '../../tests/support/databases.ts'
import { recordOf, recordsOf } from '../../tests/support/rows.ts'
import { contact, noon, openTestHouse, type TestHouse, visitor } from '../../tests/support/small-operator.ts'
import { facilityFacts } from '../facilities/facts.ts'
import { acknowledgeRules } from '../leases/auction-acknowledgements.ts'
import { setAutopay } from '../leases/autopay-mandate.ts'
import { postPayment, postPeriods } from '../leases/ledger/post.ts'
import { makeAuctionLink, makeSettlementLink } from '../leases/links.ts'
import { scheduleMoveOut } from '../leases/move-outs/schedule.ts'
import { signLease } from '../move-in/sign-lease.ts'
import { noticeHandlers } from '../notices/handlers.ts'
import { mailboxOf } from '../notices/mailbox.ts'
import { loadDraft, saveAnswers } from '../reservations/draft.ts'
import type { Draft } from '../reservations/draft-facts.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations.ts'
import { type Checkout, type CheckoutTerms, checkoutOf, startCheckout } from './checkout.ts'
import { type Opened, openPayment } from './open/move-in.ts'
import type { CrashPoint, FaultPoint } from './payment.ts'
import { settlePayment } from './settle.ts'

export { change, recordOf as rowOf, recordsOf as rowsOf } from '../../tests/support/rows.ts'

const FAULT_KEY = 'only for these tests'
const FIRST_PORT = 3990
const LAST_PORT = 3999
/** The account whose bank takes the money and says nothing. */
const SILENT_ENDING = '4444'

export interface Till {
  sandbox: Sandbox
  /** The till's bank, asked over HTTP as in production. Only its silent account is given up on soon. */
  bank: Bank
  at: { now: number }
  fault(fault: { kind: 'down' | 'slow' | 'garbage' | '500' | 'lost'; on: string; times?: number }): Promise<void>
  /** What the provider itself has charged and given back for an order, in cents. */
  moved(orderId: string): Promise<{ charged: number; charges: number; returned: number; returns: number }>
  close(): Promise<void>
}

export async function openTill(): Promise<Till> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paying-'))
  const at = { now: noon }
  let sandbox: Sandbox | undefined
  for (let port = FIRST_PORT; !sandbox; port++) {
    try {
      sandbox = await startSandbox({
        port,
        dataDir: join(dataDir, String(port)),
        slowMs: 4000,
        faultKey: FAULT_KEY,
        clock: { now: () => at.now },
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === LAST_PORT) throw error
    }
  }
  const { url } = sandbox
  const till = sandbox
  const bankAt = { url: `${url}/bank`, key: SANDBOX_CREDENTIALS.authKey }
  const patient = httpBank(bankAt)
  const impatient = httpBank({ ...bankAt, timeoutMs: 400 })
  return {
    sandbox,
    // Whoever waits for silence waits in real time; an answer that is to come may take as long as a busy machine needs.
    bank: {
      ...patient,
      debit: (asked) => (asked.account.account.endsWith(SILENT_ENDING) ? impatient : patient).debit(asked),
    },
    at,
    async fault({ kind, on, times = 1 }) {
      const answer = await fetch(`${url}/sandbox/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${FAULT_KEY}` },
        body: JSON.stringify({ orderId: '*', kind, on, times }),
      })
      expect(answer.status).toBe(201)
    },
    async moved(orderId) {
      const answer = await fetch(`${url}/sandbox/ledger?orderId=${orderId}`)
      const { orders } = (await answer.json()) as {
        orders: { charges: { cents: number }[]; returns: { cents: number }[] }[]
      }
      const charges = orders.flatMap((order) => order.charges)
      const returns = orders.flatMap((order) => order.returns)
      const sum = (rows: { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)
      return { charged: sum(charges), charges: charges.length, returned: sum(returns), returns: returns.length }
    },
    async close() {
      await fetch(`${url}/sandbox/faults`, { method: 'DELETE', headers: { authorization: `Bearer ${FAULT_KEY}` } })
      await till.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A till and a folder for one file's tests, gone when they are over; for a file's top level.
 * @param name what the folder is called after
 */
export function tillForTests(name: string): { till: Till; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const till = {} as Till
  beforeAll(async () => {
    Object.assign(till, await openTill())
  })
  afterAll(async () => {
    await till.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { till, folder }
}

export interface PayingHouse extends TestHouse {
  reported: unknown[]
  sendMail(through?: Mail): Promise<number>
  later(milliseconds: number): void
}

/**
 * On PostgreSQL: somebody who has taken hold of what an order pays for may move the order, though it is being posted at that
 * moment: so another checkout closes the orders which are open. Else each of the two would wait for the other.
 * @param orderId of one whose money is there
 */
export async function expectOrderFree(
  services: PayingHouse,
  orderId: string,
  takeHold: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  const [held, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = services.db.transaction(async (tx) => {
    await takeHold(tx)
    held.resolve()
    await goOn.promise
    const order = tx.selectFrom('payments').select('state').where('order_id', '=', orderId)
    return order.forUpdate().noWait().executeTakeFirst()
  })
  await held.promise
  const settling = settlePayment(services, orderId)
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  try {
    await expect.poll(async () => (await waiting.execute(services.db.read)).rows.length, { timeout: 10_000 }).toBe(1)
  } finally {
    goOn.resolve()
  }
  expect(await other).toEqual({ state: 'presented' })
  expect((await settling).state).toBe('posted')
}

let houses = 0

export async function openPayingHouse(db: Database, till: Till, folder: string): Promise<PayingHouse> {
  const services = await openTestHouse(db)
  // The small operator's two leases were brought in.
  await db.transaction((tx) => numbersTaken(tx, 'GA1', 'lease', 10_002))
  return payingHouse(services, till, folder)
}

export function payingHouse(services: TestHouse, till: Till, folder: string): PayingHouse {
  const { db } = services
  houses += 1
  till.at.now = services.clock.now()
  const reported: unknown[] = []
  const files = folderFiles(join(folder, `files-${houses}`))
  const mail = capturedMail({ mailbox: mailboxOf(db), files, clock: services.clock })
  const silent = { warn: () => {}, error: () => {} }
  return Object.assign(services, {
    random: seededRandom(1000 + houses),
    files,
    errors: { report: (error: unknown) => void reported.push(error) },
    cardProvider: edgeExpress({ baseUrl: till.sandbox.url, credentials: SANDBOX_CREDENTIALS, timeoutMs: 2000 }),
    reported,
    sendMail: (through: Mail = mail) =>
      new JobRunner({
        db,
        clock: services.clock,
        handlers: noticeHandlers(services, { mail: through, from: 'Storage <desk@storage.example>' }),
        log: silent,
        onDead: () => {},
      }).runDue(),
    later(milliseconds: number) {
      services.clock.advance(milliseconds)
      till.at.now = services.clock.now()
    },
  })
}

export class Ended extends Error {}
export const endingAt =
  (at: CrashPoint): FaultPoint =>
  (point) => {
    if (point === at) throw new Ended()
  }

/**
 * Runs the process that settles payments, and kills it (SIGKILL) in the middle of what follows a line it writes.
 * @param when whether it dies after this line, the so manieth
 */
export async function killedProcess(
  services: TestHouse,
  { till, folder, at }: { till: Till; folder: string; at?: DatabasePlace },
  task: { orderIds: string[]; autopay?: { waitAt: string }; lostSince?: number },
  when: (line: string, count: number) => boolean,
): Promise<void> {
  const place = {
    ...{ place: at ?? placeOf(services.db), filesFolder: join(folder, 'child'), sandboxUrl: till.sandbox.url },
    ...{ credentials: SANDBOX_CREDENTIALS, now: services.clock.now() },
  }
  const program = fileURLToPath(new URL('./fixtures/settling-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify({ ...place, ...task })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let count = 0
  for await (const line of createInterface(child.stdout)) if (when(line, ++count)) child.kill('SIGKILL')
  await exit
}

/** Who presses the button. */
export const by = { address: '198.51.100.7', agent: 'test browser' }

export const bankAccount = (ending: string): BankAccount => ({
  ...{ name: "Rae O'Neill", routing: '061000104', account: `00012345${ending}`, type: 'Checking' },
})

export const cyDues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}
export const adaPrepays: CheckoutTerms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' }

export const turnOn: CheckoutTerms = { ...adaPrepays, pays: 'autopay', autopay: true }

export async function begun(services: TestHouse, terms: CheckoutTerms): Promise<Checkout> {
  const started = await startCheckout(services, terms)
  const checkout = started.ok ? await checkoutOf(services, started.checkoutId) : null
  if (!checkout) throw new Error(started.ok ? 'no checkout' : started.message)
  return checkout
}

export const autopayOn = (services: TestHouse, leaseNumber: number, party: { alias: string } | BankAccount) =>
  services.db.transaction((tx) =>
    setAutopay(
      tx,
      services,
      { location_code: 'GA1', lease_number: leaseNumber },
      {
        ...('alias' in party
          ? { method: 'CC' as const, label: 'VI **** 1111' }
          : { method: 'ACH' as const, label: `Checking ****${party.account.slice(-4)}` }),
        ...{ party, consentText: 'I agree.', consentAt: services.clock.now() },
      },
    ),
  )

export const movesOut = (services: TestHouse, leaseNumber: number, date: string) =>
  scheduleMoveOut(services, {
    ...{ locationCode: 'GA1', leaseNumber, date, vacateReasonId: 1, customNote: '' },
    ...{ feedback: null, note: '', mail: false },
  })

export const winner = {
  ...{ locationCode: 'GA1', unitNumber: '302', name: 'Wim Tesh', email: 'wim@example.com' },
  ...{ city: 'Atlanta', zip: '30308' },
}

async function linkOf(made: Promise<{ ok: true; uuid: string } | { ok: false; why: string }>): Promise<string> {
  const link = await made
  if (!link.ok) throw new Error(link.why)
  return link.uuid
}

export const settlement = (services: TestHouse, cents = 90_00) =>
  linkOf(makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents }))

/** The link of the auction of unit 302; its winner has acknowledged the rules. */
export async function won(services: TestHouse, more: { cents?: number } = {}): Promise<string> {
  const uuid = await linkOf(makeAuctionLink(services, { ...winner, ...more }))
  await acknowledgeRules(services, uuid, by)
  return uuid
}

export const payAtCounter = (services: TestHouse, leaseNumber: number, cents: number, orderId = 'COUNTER0001') =>
  services.db.transaction((tx) =>
    postPayment(tx, services, {
      ...{ locationCode: 'GA1', leaseNumber, cents, orderId },
      description: 'At the counter',
    }),
  )

/** Charges the lease's next period. @returns what it costs, in cents */
export async function periodCharged(services: TestHouse, leaseNumber: number): Promise<number> {
  const facts = (await facilityFacts(services, ['GA1'])).get('GA1')
  if (!facts) throw new Error('There is no facility')
  const lease = await leaseOf(services, leaseNumber)
  const { cents } = await services.db.transaction((tx) => postPeriods(tx, services, facts, lease, 1))
  return cents
}

export const leaseOf = (services: TestHouse, leaseNumber: number) =>
  recordOf(services, 'leases', { lease_number: leaseNumber })

interface BankDebit {
  order_id: string
  state: string
  amount: number
  credited_at: number | null
}

export async function bankDebits(till: Till): Promise<BankDebit[]> {
  const answer = await fetch(`${till.sandbox.url}/sandbox/bank/ledger`)
  return ((await answer.json()) as { debits: BankDebit[] }).debits
}

export const customerInfo = {
  drivers_license: '048213377',
  issued_state: 'GA',
  birth_date: '1987-05-14',
  expiration_date: '2030-01-31',
  brief_description: 'Household goods',
}

export const plainAnswers: Partial<Answers> = {
  vehicle: false,
  hasLienHolder: false,
  insurance: { status: 1, schemeId: 2 },
  brochureSeen: true,
  customerInfo,
  fullDayAccess: false,
  activeMilitary: false,
}

let renters = 0
function ofItsOwn(): string {
  renters += 1
  return `10.${(renters >> 16) & 255}.${(renters >> 8) & 255}.${renters & 255}`
}

export async function reserved(services: TestHouse, unitTypeId = 1, who = contact): Promise<Draft> {
  const made = await perform(
    services,
    SaveReservationDetails_WEB,
    { location_code: 'GA1', unit_type_id: unitTypeId, rent_now: 1, ...who },
    visitor(ofItsOwn()),
  )
  if (!made.ok) throw new Error(made.message)
  if (made.value.ErrorMessage !== '') throw new Error(made.value.ErrorMessage)
  return reloaded(services, made.grants?.draftId)
}

export async function reloaded(services: TestHouse, draftId: string | undefined): Promise<Draft> {
  const draft = draftId === undefined ? null : await loadDraft(services, draftId)
  if (!draft) throw new Error('There is no such draft')
  return draft
}

export async function answered(services: TestHouse, draft: Draft, change: Partial<Answers>): Promise<Draft> {
  const saved = await saveAnswers(services, await reloaded(services, draft.draftId), change)
  if (!saved.ok) throw new Error(saved.why)
  return saved.draft
}

export async function signed(services: TestHouse, draft: Draft): Promise<Draft> {
  const made = await signLease(
    services,
    await reloaded(services, draft.draftId),
    { method: 'typed', name: "Rae O'Neill" },
    { claimed: "Rae O'Neill", address: '198.51.100.7', agent: 'test browser' },
  )
  if (!made.ok) throw new Error(made.why)
  return answered(services, made.draft, { paymentMethod: 'CC' })
}

/** A renter who has answered everything and signed. */
export async function readyToPay(
  services: TestHouse,
  {
    unitTypeId = 1,
    answers = {},
    who = contact,
  }: { unitTypeId?: number; answers?: Partial<Answers>; who?: typeof contact } = {},
): Promise<Draft> {
  const draft = await reserved(services, unitTypeId, who)
  return signed(services, await answered(services, draft, { ...plainAnswers, ...answers }))
}

export async function agreeAndOpen(
  services: TestHouse,
  draft: Draft,
  crash?: Parameters<typeof openPayment>[3],
): Promise<Opened> {
  const fresh = await reloaded(services, draft.draftId)
  const quote = await storeQuote(services, fresh)
  if (!quote) throw new Error('There is no price')
  return openPayment(services, fresh, { quoteId: quote.quoteId }, crash)
}

export async function opened(services: TestHouse, draft: Draft): Promise<Extract<Opened, { ok: true }>> {
  const page = await agreeAndOpen(services, draft)
  if (!page.ok) throw new Error(`The card page did not open: ${page.why}`)
  return page
}

export const leasesOf = (services: TestHouse) =>
  services.db.read.selectFrom('leases').selectAll().where('imported', 'is', null).orderBy('lease_number').execute()

export const subjects = async (services: TestHouse): Promise<string[]> =>
  (await services.db.read.selectFrom('mailbox').select('subject').execute())
    .map((row) => row.subject)
    .filter((subject) => !subject.endsWith('is reserved for you'))
    .sort()

export const mailsOf = async (services: TestHouse, subject: RegExp) =>
  (await recordsOf(services, 'mailbox'))
    .filter((mail) => subject.test(mail.subject))
    .sort((one, other) => one.created_at - other.created_at)
    .map((mail) => ({ ...mail, text: mail.text.replace(/\s+/g, ' ') }))

/** I1 to I5 of our records, against what the provider itself has charged. */
export async function expectInvariants(services: TestHouse, till: Till): Promise<void> {
  const live = (await recordsOf(services, 'leases')).filter((lease) => lease.status !== 'Closed')
  const reservations = await recordsOf(services, 'reservations', { status: 'active' })
  const entries = await recordsOf(services, 'ledger_entries')
  const tasks = await recordsOf(services, 'refund_tasks')
  for (const unit of await recordsOf(services, 'units')) {
    const ofUnit = (one: { location_code: string; unit_id: number | null }) =>
      one.location_code === unit.location_code && one.unit_id === unit.unit_id
    const leases = live.filter(ofUnit).length
    // I1: at most one live lease or hold per unit.
    expect(leases, `leases of unit ${unit.unit_number}`).toBe(unit.status === 'rented' ? 1 : 0)
    const claims = leases + reservations.filter(ofUnit).length
    expect(claims, `claims on unit ${unit.unit_number}`).toBeLessThanOrEqual(1)
  }
  const payments = await recordsOf(services, 'payments')
  const shares = await recordsOf(services, 'payment_shares')
  for (const { order_id, state, amount, payer } of payments) {
    const ofOrder = (one: { order_id: string | null }) => one.order_id === order_id
    const posted = entries.filter((entry) => ofOrder(entry) && entry.kind === 'payment').length
    // I2: captured money is one ledger entry or one refund task.
    const times = payer === 'units' ? shares.filter((one) => one.order_id === order_id).length : 1
    const counts = { posted: [times, 0], refund_due: [0, 1], refunded: [0, 1] }[state as string] ?? [0, 0]
    expect([posted, tasks.filter(ofOrder).length], `${state} ${order_id}`).toEqual(counts)
    const moved = await till.moved(order_id)
    expect(moved.charges, `charges of ${order_id}`).toBeLessThanOrEqual(1)
    if (state === 'posted') expect(moved.charged - moved.returned).toBe(amount)
    if (state === 'refunded') expect(moved.returned).toBe(moved.charged)
  }
  for (const { location_code, lease_number, order_id, document_id } of live.filter((one) => one.imported === null)) {
    // I3: an active lease has its payment and its signed document.
    expect(payments.find((one) => one.order_id === order_id)?.state).toBe('posted')
    const document = await recordOf(services, 'lease_documents', { document_id: document_id ?? '' })
    expect(document).toMatchObject({ void: 0, lease_number, hash_after: expect.stringMatching(/^[0-9a-f]{64}$/) })
    // I4: the ledger sums to the balance, which is 0 after a move-in.
    const own = entries.filter((one) => one.location_code === location_code && one.lease_number === lease_number)
    expect(own.reduce((sum, entry) => sum + entry.cents, 0)).toBe(0)
  }
  // I5: one notice of a kind for a lease or an order.
  const jobs = (await recordsOf(services, 'jobs')).map((job) => `${job.kind} ${job.once}`)
  expect(new Set(jobs).size).toBe(jobs.length)
}
