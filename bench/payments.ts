/** Tenants with dues of the bench's own, who pay them by card: all the way, or up to the card page and no further. */
import { createHash } from 'node:crypto'
import type { Database } from '../database/open.ts'
import { addDays } from '../domain/plain-date.ts'
import { payAtHostedPage } from '../sandbox/pay.ts'
import { openFullFacility } from './billing.ts'
import { atCardPage, Visitor } from './visitors.ts'

export interface Debtor {
  locationCode: string
  tenantId: number
  /** As a sign-in gives it; that costs what a password's hash costs, and is not what is measured. */
  token: string
}

const code = 'DUES'

/**
 * Writes a facility of so many tenants, each signed in and with one lease on which a period's rent and insurance are due, at a
 * place that charges for cards.
 */
export async function openDues(db: Database, count: number): Promise<Debtor[]> {
  const now = Date.now()
  const dueOn = addDays(new Date(now).toISOString().slice(0, 10), -1)
  await openFullFacility(db, db, code, count, dueOn)
  const token = (id: number) => createHash('sha256').update(`${code} ${id}`).digest('hex')
  const debtors = Array.from({ length: count }, (_, at) => ({
    locationCode: code,
    tenantId: at + 1,
    token: token(at + 1),
  }))
  await db.transaction(async (tx) => {
    await tx.updateTable('locations').set({ cc_fee: 1 }).where('location_code', '=', code).execute()
    await tx
      .insertInto('fees')
      .values({
        ...{ location_code: code, fee_id: 1, unit_type_id: null, description: 'Card fee', amount: 250 },
        charged: 'card',
      })
      .execute()
    for (let from = 0; from < count; from += 500) {
      const some = debtors.slice(from, from + 500)
      const accounts = some.map(({ tenantId }) => {
        const email = `dues.${tenantId}@example.com`
        return {
          ...{ account_id: `${code}-${tenantId}`, username: email, email, password_hash: '', question_id: 1 },
          ...{ security_answer_hash: '', created_at: now, password_changed_at: null },
        }
      })
      await tx.insertInto('accounts').values(accounts).execute()
      const signIns = some.map((one) => ({
        ...{ token_hash: createHash('sha256').update(one.token).digest('hex'), kind: 'tenant' as const },
        ...{ account_id: `${code}-${one.tenantId}`, location_code: null, tenant_id: null, agent: 'bench' },
        ...{ address: '127.0.0.1', created_at: now, expires_at: now + 86_400_000, ended_at: null },
      }))
      await tx.insertInto('sign_ins').values(signIns).execute()
      const charges = some.flatMap(({ tenantId }) =>
        (['rent', 'insurance'] as const).map((kind) => ({
          ...{ entry_id: `${code}:due:${kind}:${tenantId}`, location_code: code, lease_number: tenantId, kind },
          ...{ cents: kind === 'rent' ? 10_000 + (tenantId % 9000) : 1200, description: 'Bench', order_id: null },
          ...{ once: `period:${dueOn}:${kind}`, period_start: dueOn, period_end: addDays(dueOn, 29) },
          ...{ posted_on: dueOn, created_at: now },
        })),
      )
      await tx.insertInto('ledger_entries').values(charges).execute()
    }
    await tx
      .updateTable('tenants')
      .set((eb) => ({
        account_id: eb(eb.val(`${code}-`), '||', eb.cast<string>('tenant_id', 'text')),
        email: eb(eb.val('dues.'), '||', eb(eb.cast<string>('tenant_id', 'text'), '||', eb.val('@example.com'))),
        email_key: eb(eb.val('dues.'), '||', eb(eb.cast<string>('tenant_id', 'text'), '||', eb.val('@example.com'))),
        grant_online_access: 1,
      }))
      .where('location_code', '=', code)
      .execute()
  })
  return debtors
}

/** A tenant with a card, over the JSON door. */
export class PayingTenant {
  readonly #visitor: Visitor
  readonly #debtor: Debtor

  constructor(origin: string, serial: number, debtor: Debtor) {
    this.#visitor = new Visitor(origin, serial)
    this.#visitor.token = debtor.token
    this.#debtor = debtor
  }

  /** Opens the card page and pays at it; the browser closes before it is back. @returns the order */
  async payAndVanish(): Promise<string> {
    const { locationCode: location_code, tenantId: tenant_id } = this.#debtor
    const opened = await this.#visitor.call<{ paypageurl: string; order_id: string }>(
      '/api/paygateway/hostpay/transactions',
      { location_code, tenant_id, lease_number: tenant_id },
    )
    await payAtHostedPage(opened.paypageurl, 'visa', atCardPage)
    return opened.order_id
  }

  /** To the answer that it is in the books. @throws Error on any refusal */
  async pay(): Promise<void> {
    const order_id = await this.payAndVanish()
    const { STATE, MESSAGE } = await this.#visitor.call<{ STATE: string; MESSAGE: string }>(
      '/api/paygateway/directpay/express',
      { order_id },
    )
    if (STATE !== 'APPROVED') throw new Error(`The payment is ${STATE}: ${MESSAGE}`)
  }
}

/** The completer leaves an order alone while its browser may be on its way back: this one for ten minutes. */
export async function keepFromCompleter(db: Database, orderId: string): Promise<void> {
  await db.write
    .updateTable('payments')
    .set({ updated_at: Date.now() + 600_000 })
    .where('order_id', '=', orderId)
    .execute()
}

/** As though every payer had been gone for a minute. */
export async function letCompleterBegin(db: Database): Promise<void> {
  await db.write
    .updateTable('payments')
    .set({ updated_at: Date.now() - 60_000 })
    .where('location_code', '=', code)
    .where('state', '=', 'presented')
    .execute()
}

/** How many of these orders are paid and not in the books. */
export async function openPayments(db: Database): Promise<number> {
  const { count } = await db.read
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('location_code', '=', code)
    .where('state', 'in', ['created', 'presented', 'captured'])
    .executeTakeFirstOrThrow()
  return Number(count)
}
