/** The simulated bank: debits, returns and credits of test accounts. Shares no code with the adapter that calls it. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../ports/clock-and-random.ts'
import { storedRows } from './typed-sql-rows.ts'

/** Time in milliseconds after which a debit of the test account '3333' is returned. */
export const RETURNED_AFTER_MS = 2 * 24 * 60 * 60 * 1000
const MAX_RETURNS = 500

/** Behavior of test accounts by the last four digits of the account number; others behave as '0000'. */
export const TEST_ACCOUNTS = {
  '0000': 'Valid. Every debit is accepted.',
  '1111': 'Refused when it is checked before its first debit.',
  '2222': 'Valid. Every debit is refused (R29).',
  '3333': 'Valid. A debit is accepted and comes back as R01, insufficient funds, two days later.',
  '4444': 'Valid. The first call of a debit takes the money and then answers nothing until the caller gives up.',
  '5555': 'Valid. The first call of a debit takes the money and then answers garbage.',
} as const

/** Reasons for returned debits by Nacha's return codes. */
export const RETURN_CODES: Readonly<Record<string, string>> = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account',
  R04: 'Invalid account number',
  R07: 'Authorization revoked',
  R08: 'Payment stopped',
  R10: 'Customer advises not authorized',
  R29: 'Corporate customer advises not authorized',
}

/** A response of the sandbox bank. The debit is made with 'hang' (no response) and 'garbage' (one that is no JSON) too. */
type BankResponse = { status: number; body: unknown } | 'hang' | 'garbage'

interface Debit {
  order_id: string
  amount: number
  account: string
  type: string
  descriptor: string
  state: 'ACCEPTED' | 'REFUSED' | 'RETURNED'
  trace: string
  code: string
  description: string
  calls: number
  credited_at: number | null
  taken_at: number
}

const TABLES = `
  create table if not exists debits (
    order_id text primary key,
    amount integer not null,
    account text not null,
    type text not null,
    descriptor text not null,
    state text not null,
    trace text not null,
    code text not null,
    description text not null,
    calls integer not null default 0,
    credited_at integer,
    taken_at integer not null
  ) strict;
  create table if not exists returns (
    cursor integer primary key autoincrement,
    order_id text not null unique,
    code text not null,
    description text not null,
    amount integer not null,
    at integer not null
  ) strict;`

interface BankRequest {
  order_id?: unknown
  amount?: unknown
  routing?: unknown
  account?: unknown
  type?: unknown
  name?: unknown
  descriptor?: unknown
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max

const isReadableAccount = ({ routing, account, type, name }: BankRequest): boolean =>
  typeof routing === 'string' &&
  /^\d{9}$/.test(routing) &&
  typeof account === 'string' &&
  /^\d{4,17}$/.test(account) &&
  (type === 'Checking' || type === 'Savings') &&
  isText(name, 100)

const isReadableDebit = (request: BankRequest): request is BankRequest & { order_id: string; amount: number } => {
  const { order_id: orderId, amount, descriptor } = request
  return (
    typeof orderId === 'string' &&
    /^[\w-]{8,64}$/.test(orderId) &&
    Number.isSafeInteger(amount) &&
    (amount as number) > 0 &&
    isReadableAccount(request) &&
    isText(descriptor, 60)
  )
}

const debitFields = (debit: Debit) => ({
  order_id: debit.order_id,
  state: debit.state,
  amount: debit.amount,
  trace: debit.trace,
  code: debit.code,
  description: debit.description,
})

const malformed: BankResponse = { status: 400, body: { error: 'The request is not understood.' } }
const notFound: BankResponse = { status: 404, body: { error: 'There is nothing here.' } }

type DebitReturn = Pick<Debit, 'order_id' | 'code' | 'description' | 'amount'> & { cursor: number; at: number }

/**
 * The bank with its SQLite database. Responds after the commit, so that a killed process loses nothing it confirmed.
 */
export class SandboxBank {
  readonly #db: DatabaseSync
  readonly #clock: Clock

  /** @param path path of the SQLite file */
  constructor(path: string, clock: Clock) {
    this.#db = new DatabaseSync(path)
    this.#clock = clock
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full')
    this.#db.exec(TABLES)
  }

  #debitOf(orderId: string): Debit | undefined {
    return storedRows<Debit>(this.#db.prepare('select * from debits where order_id = ?'), orderId)[0]
  }

  returnDebit(orderId: string, code: string, at = this.#clock.now()): boolean {
    const debit = this.#debitOf(orderId)
    const description = RETURN_CODES[code] ?? 'Returned'
    if (debit?.state !== 'ACCEPTED' || debit.credited_at !== null) return false
    this.#db.exec('begin immediate')
    this.#db
      .prepare(`update debits set state = 'RETURNED', code = ?, description = ? where order_id = ?`)
      .run(code, description, orderId)
    this.#db
      .prepare('insert into returns (order_id, code, description, amount, at) values (?, ?, ?, ?, ?)')
      .run(orderId, code, description, debit.amount, at)
    this.#db.exec('commit')
    return true
  }

  #returnDueDebits(): void {
    const due = this.#db
      .prepare(
        `select order_id, taken_at from debits where state = 'ACCEPTED' and credited_at is null
         and account = '3333' and taken_at <= ? order by taken_at, order_id`,
      )
      .all(this.#clock.now() - RETURNED_AFTER_MS) as { order_id: string; taken_at: number }[]
    for (const debit of due) this.returnDebit(debit.order_id, 'R01', debit.taken_at + RETURNED_AFTER_MS)
  }

  #validate(request: BankRequest): BankResponse {
    if (!isReadableAccount(request)) return malformed
    const valid = !String(request.account).endsWith('1111')
    const reference = `V${randomBytes(6).toString('hex').toUpperCase()}`
    return {
      status: 200,
      body: { valid, reference, description: valid ? 'Open, can be debited' : 'No such account' },
    }
  }

  #debit(request: BankRequest): BankResponse {
    if (!isReadableDebit(request)) return malformed
    const { order_id: orderId, amount, type, descriptor } = request
    const number = String(request.account)
    const isRefused = number.endsWith('1111') || number.endsWith('2222')
    // An order has one debit, whatever a later call contains. Only the digits that decide the behavior are stored.
    this.#db
      .prepare(
        `insert into debits (order_id, amount, account, type, descriptor, state, trace, code, description, taken_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (order_id) do nothing`,
      )
      .run(
        orderId,
        amount,
        number.slice(-4),
        String(type),
        String(descriptor),
        isRefused ? 'REFUSED' : 'ACCEPTED',
        isRefused ? '' : `0910000${randomBytes(4).readUInt32BE().toString().padStart(10, '0').slice(-8)}`,
        isRefused ? 'R29' : '',
        isRefused ? 'The debit is not authorized' : 'Accepted for collection',
        this.#clock.now(),
      )
    this.#db.prepare('update debits set calls = calls + 1 where order_id = ?').run(orderId)
    const debit = this.#debitOf(orderId)!
    if (debit.calls === 1 && debit.account === '4444') return 'hang'
    if (debit.calls === 1 && debit.account === '5555') return 'garbage'
    return { status: 200, body: debitFields(debit) }
  }

  #credit(orderId: string, request: { amount?: unknown }): BankResponse {
    const debit = this.#debitOf(orderId)
    const refusal = (code: string, description: string): BankResponse => ({
      status: 200,
      body: { done: false, code, description },
    })
    if (!debit || debit.state === 'REFUSED') return refusal('X01', 'There is no such debit')
    if (debit.state === 'RETURNED') return refusal('X02', 'The debit has come back already')
    if (request.amount !== debit.amount) return refusal('X03', 'The amount is not that of the debit')
    this.#db
      .prepare('update debits set credited_at = ? where order_id = ? and credited_at is null')
      .run(this.#clock.now(), orderId)
    return { status: 200, body: { done: true, code: '', description: 'Credited' } }
  }

  #returns(after: string): BankResponse {
    if (!/^\d{1,15}$/.test(after)) return malformed
    const rows = storedRows<DebitReturn>(
      this.#db.prepare('select * from returns where cursor > ? order by cursor limit ?'),
      Number(after),
      MAX_RETURNS,
    )
    return { status: 200, body: { returns: rows.map((row) => ({ ...row, cursor: String(row.cursor) })) } }
  }

  read(path: string, query: URLSearchParams): BankResponse {
    this.#returnDueDebits()
    if (path === '/bank/returns') return this.#returns(query.get('after') || '0')
    const orderId = /^\/bank\/debits\/([\w-]{1,64})$/.exec(path)?.[1]
    if (orderId === undefined) return notFound
    const debit = this.#debitOf(orderId)
    const unknown = { order_id: orderId, state: 'UNKNOWN', amount: 0, trace: '', code: '', description: '' }
    return { status: 200, body: debit ? debitFields(debit) : unknown }
  }

  write(path: string, body: string): BankResponse {
    this.#returnDueDebits()
    let request: BankRequest | null
    try {
      request = JSON.parse(body) as BankRequest | null
    } catch {
      return malformed
    }
    if (typeof request !== 'object' || request === null) return malformed
    if (path === '/bank/accounts/validate') return this.#validate(request)
    if (path === '/bank/debits') return this.#debit(request)
    const orderId = /^\/bank\/debits\/([\w-]{1,64})\/credit$/.exec(path)?.[1]
    return orderId === undefined ? notFound : this.#credit(orderId, request)
  }

  /** Lists all debits with masked accounts, for tests. */
  report() {
    this.#returnDueDebits()
    const rows = storedRows<Debit>(this.#db.prepare('select * from debits order by taken_at, order_id'))
    return { debits: rows.map(({ account, ...debit }) => ({ ...debit, account: `****${account}` })) }
  }

  close(): void {
    this.#db.close()
  }
}
