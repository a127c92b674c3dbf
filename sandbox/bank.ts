/** Shares no code with the adapter that talks to it. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../ports/clock.ts'

/** Time from a debit to its return. */
export const RETURNED_AFTER_MS = 2 * 24 * 60 * 60 * 1000
const MOST_RETURNS = 500

/** Behaviour by an account number's last four digits; others behave as '0000'. */
export const TEST_ACCOUNTS = {
  '0000': 'Valid. Every debit is accepted.',
  '1111': 'Refused when it is checked before its first debit.',
  '2222': 'Valid. Every debit is refused (R29).',
  '3333': 'Valid. A debit is accepted and comes back as R01, insufficient funds, two days later.',
  '4444': 'Valid. The first call of a debit takes the money and then answers nothing until the caller gives up.',
  '5555': 'Valid. The first call of a debit takes the money and then answers garbage.',
} as const

/** Why banks return debits, by Nacha's codes. */
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

/** 'hang' and 'garbage': the debit is made, only the answer is lost. */
export type BankAnswer = { status: number; body: unknown } | 'hang' | 'garbage'

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

interface Asked {
  order_id?: unknown
  amount?: unknown
  routing?: unknown
  account?: unknown
  type?: unknown
  name?: unknown
  descriptor?: unknown
}

const text = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most

const readableAccount = ({ routing, account, type, name }: Asked): boolean =>
  typeof routing === 'string' &&
  /^\d{9}$/.test(routing) &&
  typeof account === 'string' &&
  /^\d{4,17}$/.test(account) &&
  (type === 'Checking' || type === 'Savings') &&
  text(name, 100)

const told = (debit: Debit) => ({
  order_id: debit.order_id,
  state: debit.state,
  amount: debit.amount,
  trace: debit.trace,
  code: debit.code,
  description: debit.description,
})

const malformed: BankAnswer = { status: 400, body: { error: 'The request is not understood.' } }

export interface PretendBank {
  /** Answers a call below /bank. @param body of a POST, null for a GET */
  answer(path: string, query: URLSearchParams, body: string | null): BankAnswer
  /** Sends an accepted debit back at once. @returns false where there is none to send back */
  openRefund(orderId: string, code: string): boolean
  /** Every debit with its account masked, for tests. */
  report(): unknown
  close(): void
}

/** @param path of its SQLite file: every answer is given after the commit, so a killed process has answered nothing that it forgot */
export function openPretendBank(path: string, clock: Clock): PretendBank {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal')
  db.exec('pragma synchronous = full')
  db.exec(TABLES)
  const find = db.prepare('select * from debits where order_id = ?')
  const debitOf = (orderId: string) => find.get(orderId) as unknown as Debit | undefined

  function openRefund(orderId: string, code: string, at: number): boolean {
    const debit = debitOf(orderId)
    const description = RETURN_CODES[code] ?? 'Returned'
    if (debit?.state !== 'ACCEPTED' || debit.credited_at !== null) return false
    db.exec('begin immediate')
    db.prepare(`update debits set state = 'RETURNED', code = ?, description = ? where order_id = ?`).run(
      code,
      description,
      orderId,
    )
    db.prepare('insert into returns (order_id, code, description, amount, at) values (?, ?, ?, ?, ?)').run(
      orderId,
      code,
      description,
      debit.amount,
      at,
    )
    db.exec('commit')
    return true
  }

  /** Returns the debits that are due for it. */
  function overnight(): void {
    const due = db
      .prepare(
        `select order_id, taken_at from debits where state = 'ACCEPTED' and credited_at is null
         and account = '3333' and taken_at <= ? order by taken_at, order_id`,
      )
      .all(clock.now() - RETURNED_AFTER_MS) as { order_id: string; taken_at: number }[]
    for (const one of due) openRefund(one.order_id, 'R01', one.taken_at + RETURNED_AFTER_MS)
  }

  function validate(asked: Asked): BankAnswer {
    if (!readableAccount(asked)) return malformed
    const valid = !String(asked.account).endsWith('1111')
    const reference = `V${randomBytes(6).toString('hex').toUpperCase()}`
    return {
      status: 200,
      body: { valid, reference, description: valid ? 'Open, can be debited' : 'No such account' },
    }
  }

  function debit(asked: Asked): BankAnswer {
    const { order_id: orderId, amount, account, descriptor } = asked
    const sound =
      typeof orderId === 'string' &&
      /^[\w-]{8,64}$/.test(orderId) &&
      Number.isSafeInteger(amount) &&
      (amount as number) > 0 &&
      readableAccount(asked) &&
      text(descriptor, 60)
    if (!sound) return malformed
    const number = String(account)
    const refused = number.endsWith('1111') || number.endsWith('2222')
    // Once for an order, whatever a later call says.
    db.prepare(
      `insert into debits (order_id, amount, account, type, descriptor, state, trace, code, description, taken_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (order_id) do nothing`,
    ).run(
      orderId,
      amount as number,
      // Only what decides its behaviour is stored.
      number.slice(-4),
      String(asked.type),
      String(descriptor),
      refused ? 'REFUSED' : 'ACCEPTED',
      refused ? '' : `0910000${randomBytes(4).readUInt32BE().toString().padStart(10, '0').slice(-8)}`,
      refused ? 'R29' : '',
      refused ? 'The debit is not authorized' : 'Accepted for collection',
      clock.now(),
    )
    db.prepare('update debits set calls = calls + 1 where order_id = ?').run(orderId)
    const taken = debitOf(orderId)!
    if (taken.calls === 1 && taken.account === '4444') return 'hang'
    if (taken.calls === 1 && taken.account === '5555') return 'garbage'
    return { status: 200, body: told(taken) }
  }

  function credit(orderId: string, asked: { amount?: unknown }): BankAnswer {
    const taken = debitOf(orderId)
    const refusal = (code: string, description: string): BankAnswer => ({
      status: 200,
      body: { done: false, code, description },
    })
    if (!taken || taken.state === 'REFUSED') return refusal('X01', 'There is no such debit')
    if (taken.state === 'RETURNED') return refusal('X02', 'The debit has come back already')
    if (asked.amount !== taken.amount) return refusal('X03', 'The amount is not that of the debit')
    db.prepare('update debits set credited_at = ? where order_id = ? and credited_at is null').run(clock.now(), orderId)
    return { status: 200, body: { done: true, code: '', description: 'Credited' } }
  }

  return {
    answer(path, query, body) {
      overnight()
      let asked: Asked = {}
      if (body !== null) {
        try {
          asked = JSON.parse(body) as Asked
        } catch {
          return malformed
        }
        if (typeof asked !== 'object' || asked === null) return malformed
      }
      if (body !== null && path === '/bank/accounts/validate') return validate(asked)
      if (body !== null && path === '/bank/debits') return debit(asked)
      const one = /^\/bank\/debits\/([\w-]{1,64})(\/credit)?$/.exec(path)
      if (one && body !== null && one[2]) return credit(one[1]!, asked)
      if (one && body === null && !one[2]) {
        const known = debitOf(one[1]!)
        const unknown = { order_id: one[1], state: 'UNKNOWN', amount: 0, trace: '', code: '', description: '' }
        return { status: 200, body: known ? told(known) : unknown }
      }
      if (body === null && path === '/bank/returns') {
        const after = query.get('after') || '0'
        if (!/^\d{1,15}$/.test(after)) return malformed
        const rows = db
          .prepare('select * from returns where cursor > ? order by cursor limit ?')
          .all(Number(after), MOST_RETURNS) as { cursor: number }[]
        return { status: 200, body: { returns: rows.map((row) => ({ ...row, cursor: String(row.cursor) })) } }
      }
      return { status: 404, body: { error: 'There is nothing here.' } }
    },
    openRefund: (orderId, code) => openRefund(orderId, code, clock.now()),
    report() {
      overnight()
      const rows = db.prepare('select * from debits order by taken_at, order_id').all() as unknown as Debit[]
      return {
        debits: rows.map(({ account, ...debit }) => ({ ...debit, account: `****${account}` })),
      }
    },
    close: () => db.close(),
  }
}
