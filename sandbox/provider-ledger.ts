import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Clock } from '../ports/clock-and-random.ts'
import { type AcceptedCard, type ProviderResponse, RESPONSES, type TestCard, testCard } from './test-cards.ts'
import { storedRows } from './typed-sql-rows.ts'

/** Time in milliseconds for which a card page can be paid. */
const SESSION_MS = 60 * 60 * 1000
/** Time in milliseconds for which a charge can be voided; later it is settled and must be returned. */
export const SETTLED_AFTER_MS = 24 * 60 * 60 * 1000
/**
 * Number of status queries that the sandbox leaves without a usable result for the test cards that simulate late or
 * garbled responses.
 */
const WITHHELD_QUERIES = 2

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
  state: 'open' | 'approved' | 'declined' | 'cancelled'
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

interface NewOrder {
  orderId: string
  type: Order['type']
  amount: number
  createAlias: boolean
  returnUrl: string
  returnTarget: string
  mayBeFramed: boolean
  customer: { name: string; address: string; zip: string }
}

type StoredCard = AcceptedCard & { alias: string; address: string }

interface Movement {
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

/**
 * Returns an approved Visa card without name and address. An alias that begins with SAMPLE, as those of the demo's
 * tenants do, has such a card.
 */
const sampleCard = (alias: string): StoredCard => ({
  alias,
  card: 'visa',
  brand: 'Visa',
  masked_card_number: '************1111',
  exp_month: '12',
  exp_year: '39',
  name: '',
  address: '',
  zip: '',
})

const isPartOf = (cents: number | null, whole: number): cents is number => cents !== null && cents > 0 && cents <= whole

const isApproved = (response: ProviderResponse) => response.code === RESPONSES.approved.code

/** The simulated provider's orders, charges, refunds and stored cards (masked). A method returns after its commit. */
export class ProviderLedger {
  readonly #db: DatabaseSync
  readonly #clock: Clock

  constructor(file: string, clock: Clock) {
    this.#db = new DatabaseSync(file)
    this.#clock = clock
    // A killed process loses nothing; a power cut may lose the last transactions.
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = normal;')
    this.#db.exec(TABLES)
  }

  #row<Row>(query: string, ...parameters: string[]): Row | null {
    return (this.#db.prepare(query).get(...parameters) as Row | undefined) ?? null
  }

  #insert(table: string, row: Record<string, SQLInputValue>, onConflict = ''): boolean {
    const names = Object.keys(row)
    const values = names.map((name) => `:${name}`)
    const statement = this.#db.prepare(`insert into ${table} (${names.join()}) values (${values.join()}) ${onConflict}`)
    return statement.run(row).changes === 1
  }

  #finish(orderId: string, change: Partial<Order>): boolean {
    const names = Object.keys(change).map((name) => `${name} = :${name}`)
    const statement = this.#db.prepare(
      `update orders set ${names.join()}, finished_at = :at where order_id = :id and state = 'open'`,
    )
    return statement.run({ ...change, at: this.#clock.now(), id: orderId }).changes === 1
  }

  #atomically<T>(work: () => T): T {
    this.#db.exec('begin immediate')
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      this.#db.exec('rollback')
      throw error
    }
  }

  order(orderId: string): Order | null {
    return this.#row('select * from orders where order_id = ?', orderId)
  }

  orderBySession(token: string): Order | null {
    return this.#row('select * from orders where session_token = ?', token)
  }

  #cardOf(alias: string): StoredCard | null {
    return alias.startsWith('SAMPLE')
      ? sampleCard(alias)
      : this.#row('select * from stored_cards where alias = ?', alias)
  }

  #insertOrder({
    orderId,
    type,
    amount,
    createAlias,
    returnUrl,
    returnTarget,
    mayBeFramed,
    customer,
  }: NewOrder): boolean {
    const row = {
      order_id: orderId,
      session_token: randomBytes(24).toString('base64url'),
      type,
      amount,
      create_alias: createAlias ? 1 : 0,
      return_url: returnUrl,
      return_target: returnTarget,
      may_be_framed: mayBeFramed ? 1 : 0,
      address: customer.address,
      customer_name: customer.name,
      customer_zip: customer.zip,
      created_at: this.#clock.now(),
    }
    return this.#insert('orders', row, 'on conflict (order_id) do nothing')
  }

  /** Finishes an open order with the provider's response, and records the charge if the response approves it. */
  #carryOut(
    open: Order,
    payer: Omit<AcceptedCard, 'card'>,
    response: ProviderResponse,
    card: TestCard,
    alias: string,
  ): void {
    const approved = isApproved(response)
    const { amount } = open
    const captured = !approved ? 0 : card.differs && amount > 0 ? (amount > 100 ? amount - 100 : amount + 100) : amount
    const transaction_id = String(700_000_000_000 + open.id)
    const finished = this.#finish(open.order_id, {
      state: approved ? 'approved' : 'declined',
      response_code: response.code,
      response_description: response.description,
      transaction_id,
      approved_amount: captured,
      alias: approved ? alias : '',
      card_brand: payer.brand,
      masked_card_number: payer.masked_card_number,
      exp_month: payer.exp_month,
      exp_year: payer.exp_year,
      payer_name: payer.name,
      postal_code: payer.zip,
      late_queries: card.late ? WITHHELD_QUERIES : 0,
      garbled_queries: card.garbled ? WITHHELD_QUERIES : 0,
    })
    if (finished && captured > 0) this.#move(open.order_id, 'sale', transaction_id, captured)
  }

  #move(order_id: string, kind: Movement['kind'], transaction_id: string, cents: number): void {
    this.#insert('movements', { order_id, kind, transaction_id, cents, at: this.#clock.now() })
  }

  /**
   * Opens a card page's session, for a repeated order the same one. Returns null if the order is finished, or if it was
   * opened with another amount or return URL.
   */
  open(request: NewOrder): Order | null {
    this.#insertOrder(request)
    const order = this.order(request.orderId)!
    const isSame = order.state === 'open' && order.amount === request.amount && order.return_url === request.returnUrl
    return isSame ? order : null
  }

  isPayable(open: Order): boolean {
    return open.state === 'open' && this.#clock.now() < open.created_at + SESSION_MS
  }

  /** Pays an order with a card, once; later calls return the finished order. */
  pay(orderId: string, payer: AcceptedCard): Order {
    return this.#atomically(() => {
      const open = this.order(orderId)!
      if (open.state !== 'open') return open
      const card = testCard(payer.card)
      const keepsCard = isApproved(card.response) && (open.create_alias === 1 || open.amount === 0)
      const alias = keepsCard ? randomBytes(12).toString('hex') : ''
      if (keepsCard) this.#insert('stored_cards', { ...payer, alias, address: open.address })
      this.#carryOut(open, payer, card.response, card, alias)
      return this.order(orderId)!
    })
  }

  cancel(orderId: string): Order {
    const { code, description } = RESPONSES.cancelled
    this.#finish(orderId, { state: 'cancelled', response_code: code, response_description: description })
    return this.order(orderId)!
  }

  storedCard(alias: string): TestCard | null {
    const stored = this.#cardOf(alias)
    return stored && testCard(stored.card)
  }

  /** Charges a stored card once for each order id; null if the order id has a card page or another amount. */
  saleByAlias({ orderId, alias, amount }: { orderId: string; alias: string; amount: number }): Order | null {
    return this.#atomically(() => {
      const stored = this.#cardOf(alias)
      const { name, address, zip } = stored ?? sampleCard('')
      const isNew = this.#insertOrder({
        orderId,
        type: 'CREDITSALE',
        amount,
        createAlias: false,
        customer: { name, address, zip },
        returnUrl: '',
        returnTarget: '',
        mayBeFramed: false,
      })
      const order = this.order(orderId)!
      if (!isNew) return order.return_url === '' && order.amount === amount ? order : null
      const card = testCard(stored?.card ?? 'declined')
      const unknownPayer = { brand: '', masked_card_number: '', exp_month: '', exp_year: '', name: '', zip: '' }
      const response = stored ? (card.laterResponse ?? card.response) : RESPONSES.unknownAlias
      this.#carryOut(order, stored ?? unknownPayer, response, card, stored ? alias : '')
      return this.order(orderId)
    })
  }

  /** Queries an order. The first queries of a late or garbled order do not get its result. */
  query(orderId: string): Order | 'unknown' | 'garbage' {
    const order = this.order(orderId)
    if (!order || order.state === 'open') return 'unknown'
    const withholds = (column: 'late_queries' | 'garbled_queries') =>
      this.#db.prepare(`update orders set ${column} = ${column} - 1 where order_id = ? and ${column} > 0`).run(orderId)
        .changes === 1
    return withholds('late_queries') ? 'unknown' : withholds('garbled_queries') ? 'garbage' : order
  }

  /**
   * Voids or returns an order's charge, at most once. Returns the first result for a repeated request of the same kind.
   */
  giveBack(request: { transactionId: string; kind: 'void' | 'return'; cents: number | null }): {
    response: ProviderResponse
    movement: Movement | null
  } {
    const givenBack = (orderId: string) =>
      this.#row<Movement>("select * from movements where order_id = ? and kind in ('void', 'return')", orderId)
    return this.#atomically(() => {
      const { transactionId, kind } = request
      const sale = this.#row<Order>(
        "select * from orders where transaction_id = ? and state = 'approved'",
        transactionId,
      )
      if (!sale || sale.approved_amount === 0) return { response: RESPONSES.notFound, movement: null }
      const before = givenBack(sale.order_id)
      if (before) {
        const response = before.kind === kind ? RESPONSES.approved : RESPONSES.alreadyGivenBack
        return { response, movement: before }
      }
      const isSettled = this.#clock.now() >= sale.finished_at! + SETTLED_AFTER_MS
      if (kind === 'void' && isSettled) return { response: RESPONSES.settled, movement: null }
      const cents = kind === 'void' ? sale.approved_amount : request.cents
      if (!isPartOf(cents, sale.approved_amount)) return { response: RESPONSES.malformed, movement: null }
      this.#move(sale.order_id, kind, String(800_000_000_000 + sale.id), cents)
      return { response: RESPONSES.approved, movement: givenBack(sale.order_id) }
    })
  }

  /**
   * Lists sales since an instant, oldest first.
   * @param since epoch milliseconds
   * @param after number of the last sale of the previous page; 0 for the first page
   * @returns sales, and `next`: the number of the last of them if there are more, else null
   */
  sales({ since, after, limit }: { since: number; after: number; limit: number }) {
    const rows = storedRows<Order & { number: number; cents: number; at: number; returned: number }>(
      this.#db.prepare(
        `select orders.*, sale.rowid as number, sale.cents, sale.at,
           coalesce((select sum(cents) from movements back where back.order_id = sale.order_id and back.kind != 'sale'), 0) as returned
         from movements sale join orders on orders.order_id = sale.order_id
         where sale.kind = 'sale' and sale.at >= ? and sale.rowid > ? order by sale.rowid limit ?`,
      ),
      since,
      after,
      limit + 1,
    )
    const sales = rows.slice(0, limit)
    return { sales, next: rows.length > limit ? sales.at(-1)!.number : null }
  }

  report() {
    const movements = storedRows<Movement>(this.#db.prepare('select * from movements order by rowid'))
    const byOrder = Map.groupBy(movements, (movement) => movement.order_id)
    const orders = storedRows<Order>(this.#db.prepare('select * from orders order by id'))
    return {
      orders: orders.map((order) => {
        const orderMovements = (byOrder.get(order.order_id) ?? []).map(({ order_id: _, ...movement }) => movement)
        return {
          orderId: order.order_id,
          state: order.state,
          responseCode: order.response_code,
          asked: order.amount,
          maskedCardNumber: order.masked_card_number,
          cardKept: order.alias !== '',
          charges: orderMovements.filter((movement) => movement.kind === 'sale'),
          returns: orderMovements.filter((movement) => movement.kind !== 'sale'),
        }
      }),
    }
  }

  close(): void {
    this.#db.close()
  }
}
