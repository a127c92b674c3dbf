/**
 * Move-ins paid by card, for tests: the small operator's house with the real adapter talking to the real sandbox over
 * loopback HTTP, a renter who has signed, and the invariants that hold whatever went wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Answers } from '../../domain/journey/answers.ts'
import { numbersTaken } from '../../platform/database/numbering.ts'
import type { Database, Transaction } from '../../platform/database/open.ts'
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
import { contact, noon, openTestHouse, type TestHouse, visitor } from '../../tests/support/small-operator.ts'
import { postPayment } from '../leases/ledger/post.ts'
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

const FAULT_KEY = 'only for these tests'
const FIRST_PORT = 3990
const LAST_PORT = 3999
/** The account whose bank takes the money and says nothing. */
const SILENT_ENDING = '4444'

export interface Till {
  sandbox: Sandbox
  /** The till's bank, asked over HTTP as in production. Only its silent account is given up on soon. */
  bank: Bank
  /** The sandbox's clock follows this; houses set it. */
  at: { now: number }
  /** The next so many calls of a kind go wrong. */
  fault(fault: { kind: 'down' | 'slow' | 'garbage' | '500' | 'lost'; on: string; times?: number }): Promise<void>
  /** What the provider itself has charged and given back for an order, in cents. */
  moved(orderId: string): Promise<{ charged: number; charges: number; returned: number; returns: number }>
  close(): Promise<void>
}

/** Opens the sandbox on the first free port of those set aside for these tests. */
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
  /** What was reported to the error reporter. */
  reported: unknown[]
  /** Runs every job that is due; answers how many runs there were. */
  sendMail(through?: Mail): Promise<number>
  /** Moves both clocks. */
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

/** A house whose card provider is the till. Every house draws other order ids, since they share the till. */
export async function openPayingHouse(db: Database, till: Till, folder: string): Promise<PayingHouse> {
  const services = await openTestHouse(db)
  // The small operator's two leases were brought in.
  await db.transaction((tx) => numbersTaken(tx, 'GA1', 'lease', 10_002))
  return payingHouse(services, till, folder)
}

/** A house of one's own with the till in it. */
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

/** The process ends here. */
export class Ended extends Error {}
export const endingAt =
  (at: CrashPoint): FaultPoint =>
  (point) => {
    if (point === at) throw new Ended()
  }

/** Who presses the button. */
export const by = { address: '198.51.100.7', agent: 'test browser' }

/** A test account of the sandbox: three leading zeros, and an ending that says what happens. */
export const bankAccount = (ending: string): BankAccount => ({
  ...{ name: "Rae O'Neill", routing: '061000104', account: `00012345${ending}`, type: 'Checking' },
})

/** Cy, who owes a period, pays it. */
export const cyDues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}
/** Ada, who owes nothing, pays a period ahead. */
export const adaPrepays: CheckoutTerms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' }

export async function begun(services: TestHouse, terms: CheckoutTerms): Promise<Checkout> {
  const started = await startCheckout(services, terms)
  const checkout = started.ok ? await checkoutOf(services, started.checkoutId) : null
  if (!checkout) throw new Error(started.ok ? 'no checkout' : started.message)
  return checkout
}

export const payAtCounter = (services: TestHouse, leaseNumber: number, cents: number, orderId = 'COUNTER0001') =>
  services.db.transaction((tx) =>
    postPayment(tx, services, {
      ...{ locationCode: 'GA1', leaseNumber, cents, orderId },
      description: 'At the counter',
    }),
  )

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** All rows of a table that have these values. */
export async function rowsOf<Table extends keyof Tables>(
  services: TestHouse,
  table: Table,
  having: Partial<Row<Table>> = {},
): Promise<Row<Table>[]> {
  const rows = (await services.db.read
    .selectFrom(table as keyof Tables)
    .selectAll()
    .execute()) as Row<Table>[]
  const wanted = Object.entries(having) as [keyof Row<Table>, unknown][]
  return rows.filter((row) => wanted.every(([column, value]) => row[column] === value))
}

/** The first of them; fails without one. */
export async function rowOf<Table extends keyof Tables>(
  services: TestHouse,
  table: Table,
  having: Partial<Row<Table>> = {},
): Promise<Row<Table>> {
  const [row] = await rowsOf(services, table, having)
  if (!row) throw new Error(`No row of ${table} has ${JSON.stringify(having)}`)
  return row
}

/** Changes every row of a table that has these values. */
export async function change<Table extends keyof Tables>(
  services: TestHouse,
  table: Table,
  having: Partial<Row<Table>>,
  set: Partial<Row<Table>>,
): Promise<void> {
  let update = services.db.write.updateTable(table as 'leases').set(set as object)
  for (const [column, value] of Object.entries(having))
    update = update.where(column as 'tenant_id', '=', value as number)
  await update.execute()
}

export const leaseOf = (services: TestHouse, leaseNumber: number) =>
  rowOf(services, 'leases', { lease_number: leaseNumber })

interface BankDebit {
  order_id: string
  state: string
  amount: number
  credited_at: number | null
}

/** What the sandbox's bank has of debits. */
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

/** What a renter answers who wants nothing special. */
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
/** Every renter calls from a network of their own. */
function ofItsOwn(): string {
  renters += 1
  return `10.${(renters >> 16) & 255}.${(renters >> 8) & 255}.${renters & 255}`
}

/** Reserves a unit of GA1 for today. @returns the draft; fails where none is left */
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

/** Signs the lease as it stands and chooses the card. */
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

/** Looks at the price, agrees to it and asks for the card page. */
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

/** The same, where nothing may stand in the way. */
export async function opened(services: TestHouse, draft: Draft): Promise<Extract<Opened, { ok: true }>> {
  const page = await agreeAndOpen(services, draft)
  if (!page.ok) throw new Error(`The card page did not open: ${page.why}`)
  return page
}

/** Leases made here, in order; those of the seed were brought in. */
export const leasesOf = (services: TestHouse) =>
  services.db.read.selectFrom('leases').selectAll().where('imported', 'is', null).orderBy('lease_number').execute()

/** Subjects of the mail that has gone out since the unit was reserved, in order of the alphabet. */
export const subjects = async (services: TestHouse): Promise<string[]> =>
  (await services.db.read.selectFrom('mailbox').select('subject').execute())
    .map((row) => row.subject)
    .filter((subject) => !subject.endsWith('is reserved for you'))
    .sort()

/** I1 to I5 of the house's records, against what the provider itself has charged. */
export async function expectInvariants(services: TestHouse, till: Till): Promise<void> {
  const { read } = services.db
  const units = await read.selectFrom('units').selectAll().execute()
  const live = await read.selectFrom('leases').selectAll().where('status', '!=', 'Closed').execute()
  const reservations = await read.selectFrom('reservations').selectAll().where('status', '=', 'active').execute()
  for (const unit of units) {
    const mine = live.filter((one) => one.location_code === unit.location_code && one.unit_id === unit.unit_id)
    // I1: at most one live lease or hold per unit.
    expect(mine.length, `leases of unit ${unit.unit_number}`).toBe(unit.status === 'rented' ? 1 : 0)
    const held = reservations.filter((one) => one.location_code === unit.location_code && one.unit_id === unit.unit_id)
    expect(held.length + mine.length, `claims on unit ${unit.unit_number}`).toBeLessThanOrEqual(1)
  }
  const payments = await read.selectFrom('payments').selectAll().execute()
  for (const payment of payments) {
    const entries = await read
      .selectFrom('ledger_entries')
      .selectAll()
      .where('order_id', '=', payment.order_id)
      .where('kind', '=', 'payment')
      .execute()
    const tasks = await read.selectFrom('refund_tasks').selectAll().where('order_id', '=', payment.order_id).execute()
    // I2: captured money is one ledger entry or one refund task.
    const counts = {
      posted: [1, 0],
      refund_due: [0, 1],
      refunded: [0, 1],
    }[payment.state as string] ?? [0, 0]
    expect([entries.length, tasks.length], `${payment.state} ${payment.order_id}`).toEqual(counts)
    const moved = await till.moved(payment.order_id)
    expect(moved.charges, `charges of ${payment.order_id}`).toBeLessThanOrEqual(1)
    if (payment.state === 'posted') expect(moved.charged - moved.returned).toBe(payment.amount)
    if (payment.state === 'refunded') expect(moved.returned).toBe(moved.charged)
  }
  for (const lease of live.filter((one) => one.imported === null)) {
    // I3: an active lease has its payment and its signed document.
    expect(payments.find((one) => one.order_id === lease.order_id)?.state).toBe('posted')
    const document = await read
      .selectFrom('lease_documents')
      .selectAll()
      .where('document_id', '=', lease.document_id ?? '')
      .executeTakeFirst()
    expect(document).toMatchObject({ void: 0, lease_number: lease.lease_number })
    expect(document?.hash_after).toMatch(/^[0-9a-f]{64}$/)
    // I4: the ledger sums to the balance, which is 0 after a move-in.
    const entries = await read
      .selectFrom('ledger_entries')
      .select('cents')
      .where('location_code', '=', lease.location_code)
      .where('lease_number', '=', lease.lease_number)
      .execute()
    expect(entries.reduce((sum, entry) => sum + entry.cents, 0)).toBe(0)
  }
  // I5: one notice of a kind for a lease or an order.
  const jobs = await read.selectFrom('jobs').select(['kind', 'once']).execute()
  expect(new Set(jobs.map((job) => `${job.kind} ${job.once}`)).size).toBe(jobs.length)
}
