/**
 * The provider's records: orders, charges, refunds and stored cards (masked), in one SQLite file. It answers after the commit, so
 * a killed process has never answered what it then lost.
 */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../ports/clock.ts'
import { type Payer, RESPONSES, type Response, type TestCard, type TestCardName, testCard } from './cards.ts'

/** A card page can be paid this long after it was made. */
export const SESSION_MS = 60 * 60 * 1000
/** A charge can be voided this long; after that it is settled and has to be refunded. */
export const SETTLED_AFTER_MS = 24 * 60 * 60 * 1000
/** Queries that a late or garbled order answers without its result. */
export const WITHHELD_QUERIES = 2

export type OrderState = 'open' | 'approved' | 'declined' | 'cancelled'

export interface Order {
  id: number
  order_id: string
  session_token: string
  type: 'CREDITSALE' | 'ALIASCREATE'
  amount: number
  create_alias: 0 | 1
  return_url: string
  return_target: string
  may_be_framed: 0 | 1
  address: string
  customer_name: string
  customer_zip: string
  state: OrderState
  response_code: string
  response_description: string
  transaction_id: string
  approved_amount: number
  alias: string
  card_brand: string
  masked_card_number: string
  exp_month: string
  exp_year: string
  payer_name: string
  postal_code: string
  late_queries: number
  garbled_queries: number
  created_at: number
  finished_at: number | null
}

export interface NewOrder {
  orderId: string
  type: Order['type']
  amount: number
  createAlias: boolean
  returnUrl: string
  returnTarget: string
  mayBeFramed: boolean
  customer: { name: string; address: string; zip: string }
}

interface StoredCard {
  alias: string
  card: TestCardName
  brand: string
  masked_card_number: string
  exp_month: string
  exp_year: string
  name: string
  address: string
  zip: string
}

export interface Movement {
  order_id: string
  kind: 'sale' | 'void' | 'return'
  transaction_id: string
  cents: number
  at: number
}

const TABLES = `
  create table if not exists orders (
    id integer primary key autoincrement,
    order_id text not null unique,
    session_token text not null unique,
    type text not null,
    amount integer not null,
    create_alias integer not null,
    return_url text not null,
    return_target text not null,
    may_be_framed integer not null,
    address text not null,
    customer_name text not null,
    customer_zip text not null,
    state text not null default 'open',
    response_code text not null default '',
    response_description text not null default '',
    transaction_id text not null default '',
    approved_amount integer not null default 0,
    alias text not null default '',
    card_brand text not null default '',
    masked_card_number text not null default '',
    exp_month text not null default '',
    exp_year text not null default '',
    payer_name text not null default '',
    postal_code text not null default '',
    late_queries integer not null default 0,
    garbled_queries integer not null default 0,
    created_at integer not null,
    finished_at integer
  ) strict;
  create index if not exists orders_by_transaction on orders (transaction_id);
  create table if not exists movements (
    order_id text not null,
    kind text not null,
    transaction_id text not null,
    cents integer not null,
    at integer not null,
    primary key (order_id, kind)
  ) strict;
  create unique index if not exists given_back_once on movements (order_id) where kind in ('void', 'return');
  create table if not exists stored_cards (
    alias text primary key,
    card text not null,
    brand text not null,
    masked_card_number text not null,
    exp_month text not null,
    exp_year text not null,
    name text not null,
    address text not null,
    zip text not null
  ) strict;
`

export type Ledger = ReturnType<typeof openLedger>

/** @param file path of the SQLite file, made where there is none */
export function openLedger(file: string, clock: Clock) {
  const db = new DatabaseSync(file)
  // A killed process loses nothing; a power cut may lose the last orders, which are pretend.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal;')
  db.exec(TABLES)

  const insertOrder = db.prepare(
    `insert into orders (order_id, session_token, type, amount, create_alias, return_url, return_target, may_be_framed,
       address, customer_name, customer_zip, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (order_id) do nothing`,
  )
  const selectOrder = db.prepare('select * from orders where order_id = ?')
  const selectBySession = db.prepare('select * from orders where session_token = ?')
  const selectByTransaction = db.prepare("select * from orders where transaction_id = ? and state = 'approved'")
  const finishOrder = db.prepare(
    `update orders set state = ?, response_code = ?, response_description = ?, transaction_id = ?, approved_amount = ?,
       alias = ?, card_brand = ?, masked_card_number = ?, exp_month = ?, exp_year = ?, payer_name = ?, postal_code = ?,
       late_queries = ?, garbled_queries = ?, finished_at = ? where order_id = ? and state = 'open'`,
  )
  const cancelOrder = db.prepare(
    `update orders set state = 'cancelled', response_code = ?, response_description = ?, finished_at = ?
     where order_id = ? and state = 'open'`,
  )
  const withholdLate = db.prepare(
    'update orders set late_queries = late_queries - 1 where order_id = ? and late_queries > 0',
  )
  const withholdGarbled = db.prepare(
    'update orders set garbled_queries = garbled_queries - 1 where order_id = ? and garbled_queries > 0',
  )
  const insertMovement = db.prepare(
    'insert into movements (order_id, kind, transaction_id, cents, at) values (?, ?, ?, ?, ?)',
  )
  const selectGivenBack = db.prepare("select * from movements where order_id = ? and kind in ('void', 'return')")
  const insertCard = db.prepare('insert into stored_cards values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const selectCard = db.prepare('select * from stored_cards where alias = ?')

  /** An alias that begins with SAMPLE is an approved Visa without a card page: a demo's own tenants. */
  function cardOf(alias: string): StoredCard | undefined {
    const sample = { brand: 'Visa', masked_card_number: '************1111', exp_month: '12', exp_year: '39' }
    return alias.startsWith('SAMPLE')
      ? { alias, card: 'visa', ...sample, name: '', address: '', zip: '' }
      : (selectCard.get(alias) as unknown as StoredCard | undefined)
  }

  function atomically<T>(work: () => T): T {
    db.exec('begin immediate')
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }

  function order(orderId: string): Order | null {
    return (selectOrder.get(orderId) as unknown as Order | undefined) ?? null
  }

  function insert(request: NewOrder): boolean {
    const inserted = insertOrder.run(
      request.orderId,
      randomBytes(24).toString('base64url'),
      request.type,
      request.amount,
      request.createAlias ? 1 : 0,
      request.returnUrl,
      request.returnTarget,
      request.mayBeFramed ? 1 : 0,
      request.customer.address,
      request.customer.name,
      request.customer.zip,
      clock.now(),
    )
    return inserted.changes === 1
  }

  function carryOut(open: Order, payer: Omit<Payer, 'card'>, response: Response, card: TestCard, alias: string): void {
    const approved = response.code === RESPONSES.approved.code
    const asked = open.amount
    const captured = !approved ? 0 : card.differs && asked > 0 ? (asked > 100 ? asked - 100 : asked + 100) : asked
    const transactionId = String(700_000_000_000 + open.id)
    const finished = finishOrder.run(
      approved ? 'approved' : 'declined',
      response.code,
      response.description,
      transactionId,
      captured,
      approved ? alias : '',
      payer.brand,
      payer.maskedCardNumber,
      payer.expMonth,
      payer.expYear,
      payer.name,
      payer.zip,
      card.late ? WITHHELD_QUERIES : 0,
      card.garbled ? WITHHELD_QUERIES : 0,
      clock.now(),
      open.order_id,
    )
    if (finished.changes === 1 && captured > 0)
      insertMovement.run(open.order_id, 'sale', transactionId, captured, clock.now())
  }

  return {
    order,

    orderBySession(token: string): Order | null {
      return (selectBySession.get(token) as unknown as Order | undefined) ?? null
    },

    /** The same order asked for again is the same session; null where the order id stands for something else. */
    open(request: NewOrder): Order | null {
      insert(request)
      const found = order(request.orderId)!
      const same = found.state === 'open' && found.amount === request.amount && found.return_url === request.returnUrl
      return same ? found : null
    },

    isPayable(open: Order): boolean {
      return open.state === 'open' && clock.now() < open.created_at + SESSION_MS
    },

    /** Carries out the card's response once; asked again, the order stands as it is. */
    pay(orderId: string, payer: Payer): Order {
      return atomically(() => {
        const open = order(orderId)!
        if (open.state !== 'open') return open
        const card = testCard(payer.card)
        const keep = card.response.code === RESPONSES.approved.code && (open.create_alias === 1 || open.amount === 0)
        const alias = keep ? randomBytes(12).toString('hex') : ''
        if (keep)
          insertCard.run(
            alias,
            payer.card,
            payer.brand,
            payer.maskedCardNumber,
            payer.expMonth,
            payer.expYear,
            payer.name,
            open.address,
            payer.zip,
          )
        carryOut(open, payer, card.response, card, alias)
        return order(orderId)!
      })
    },

    cancel(orderId: string): Order {
      cancelOrder.run(RESPONSES.cancelled.code, RESPONSES.cancelled.description, clock.now(), orderId)
      return order(orderId)!
    },

    storedCard(alias: string): TestCard | null {
      const stored = cardOf(alias)
      return stored ? testCard(stored.card) : null
    },

    /** A charge by alias, once per order id; null where the order id stands for something else. */
    saleByAlias(request: { orderId: string; alias: string; amount: number }): Order | null {
      return atomically(() => {
        const stored = cardOf(request.alias)
        const isNew = insert({
          orderId: request.orderId,
          type: 'CREDITSALE',
          amount: request.amount,
          createAlias: false,
          returnUrl: '',
          returnTarget: '',
          mayBeFramed: false,
          customer: { name: stored?.name ?? '', address: stored?.address ?? '', zip: stored?.zip ?? '' },
        })
        const found = order(request.orderId)!
        if (!isNew) return found.return_url === '' && found.amount === request.amount ? found : null
        if (!stored) {
          const nobody = { brand: '', maskedCardNumber: '', expMonth: '', expYear: '', name: '', zip: '' }
          carryOut(found, nobody, RESPONSES.unknownAlias, testCard('declined'), '')
        } else {
          const card = testCard(stored.card)
          const payer = {
            brand: stored.brand,
            maskedCardNumber: stored.masked_card_number,
            expMonth: stored.exp_month,
            expYear: stored.exp_year,
            name: stored.name,
            zip: stored.zip,
          }
          carryOut(found, payer, card.laterResponse ?? card.response, card, request.alias)
        }
        return order(request.orderId)
      })
    },

    /** A query uses up one of the answers that a late or garbled order withholds. */
    query(orderId: string): Order | 'unknown' | 'garbage' {
      const found = order(orderId)
      if (!found || found.state === 'open') return 'unknown'
      if (withholdLate.run(orderId).changes === 1) return 'unknown'
      if (withholdGarbled.run(orderId).changes === 1) return 'garbage'
      return found
    },

    /** Refunds an order's charge once, whichever way and however often it is asked for. */
    giveBack(request: { transactionId: string; kind: 'void' | 'return'; cents: number | null }): {
      response: Response
      movement: Movement | null
    } {
      return atomically(() => {
        const sold = selectByTransaction.get(request.transactionId) as unknown as Order | undefined
        if (!sold || sold.approved_amount === 0) return { response: RESPONSES.notFound, movement: null }
        const before = selectGivenBack.get(sold.order_id) as unknown as Movement | undefined
        if (before)
          return {
            response: before.kind === request.kind ? RESPONSES.approved : RESPONSES.alreadyGivenBack,
            movement: before,
          }
        const settled = clock.now() >= sold.finished_at! + SETTLED_AFTER_MS
        if (request.kind === 'void' && settled) return { response: RESPONSES.settled, movement: null }
        const cents = request.kind === 'void' ? sold.approved_amount : request.cents
        if (cents === null || cents <= 0 || cents > sold.approved_amount)
          return { response: RESPONSES.malformed, movement: null }
        const transactionId = String(800_000_000_000 + sold.id)
        insertMovement.run(sold.order_id, request.kind, transactionId, cents, clock.now())
        return { response: RESPONSES.approved, movement: selectGivenBack.get(sold.order_id) as unknown as Movement }
      })
    },

    report() {
      const movements = db.prepare('select * from movements order by rowid').all() as unknown as Movement[]
      const byOrder = Map.groupBy(movements, (movement) => movement.order_id)
      const orders = db.prepare('select * from orders order by id').all() as unknown as Order[]
      return {
        orders: orders.map((each) => {
          const moved = (byOrder.get(each.order_id) ?? []).map(({ order_id: _, ...movement }) => movement)
          return {
            orderId: each.order_id,
            state: each.state,
            responseCode: each.response_code,
            asked: each.amount,
            maskedCardNumber: each.masked_card_number,
            cardKept: each.alias !== '',
            charges: moved.filter((movement) => movement.kind === 'sale'),
            returns: moved.filter((movement) => movement.kind !== 'sale'),
          }
        }),
      }
    },

    close(): void {
      db.close()
    },
  }
}
