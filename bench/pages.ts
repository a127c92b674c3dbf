/**
 * The pages of tenants who are signed in: a tenant of the demo operator for each page, and two of the bench's own, one with a
 * unit and one with forty units and ten years of payments behind them.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import { PERIOD_DAYS } from '../domain/charges.ts'
import { addDays } from '../domain/plain-date.ts'
import { openFullFacility } from './billing.ts'
import { Visitor } from './visitors.ts'

const code = 'TEN'
const password = 'rolling-door-47'
/** Units of the larger of the two tenants. */
const manyUnits = 40
/** Ten years of 30 days each. */
const manyPeriods = 122

export interface PageUnderMeasurement {
  what: string
  path: string
  visitor: Visitor
}

/** The two tenants' addresses of one page. */
export interface PagePair {
  path: string
  one: PageUnderMeasurement
  many: PageUnderMeasurement
}

/** @throws Error where the sign-in is refused */
async function signedIn(origin: string, serial: number, username: string): Promise<Visitor> {
  const visitor = new Visitor(origin, serial)
  visitor.encoding = 'br'
  const { token } = await visitor.call<{ token: string }>('/api/ssm/login', { username, password })
  visitor.token = token
  return visitor
}

/**
 * Every page that a tenant opens from the account, and the doors in front of it.
 * @param serial numbers the visitors, so that no two share an address
 */
export async function portalPages(origin: string, serial: () => number): Promise<PageUnderMeasurement[]> {
  const stranger = new Visitor(origin, serial())
  stranger.encoding = 'br'
  const marcus = await signedIn(origin, serial(), 'marcus.tilley@example.com')
  const leaving = await signedIn(origin, serial(), 'imogen.sayles@example.com')
  const terms = await signedIn(origin, serial(), 'adele.fontaine@example.com')
  const form = (visitor: Visitor, path: string, fields: Record<string, string>) =>
    visitor.send('POST', path, {
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(fields).toString(),
    })
  // The unit in focus, and a payment that was agreed to, stand in the cookie.
  await leaving.send('GET', `/unit-lease-details?lease=${await firstLease(leaving)}`)
  const lease = await firstLease(marcus)
  const begun = await form(marcus, `/unit-lease-details?lease=${lease}`, {
    ...{ lease, intent: 'pay', periods: '1', autopay: '0' },
  })
  if (begun.headers.location !== '/online-payment-method')
    throw new Error(`A payment was not begun: ${begun.status} ${begun.headers.location ?? ''}`)
  const of = (visitor: Visitor, ...paths: string[]) => paths.map((path) => ({ what: path, path, visitor }))
  return [
    ...of(stranger, '/login', '/register', '/forgot'),
    ...of(marcus, '/account-profile', '/update-profile', '/update-password', '/my-units'),
    ...of(marcus, `/unit-lease-details?lease=${lease}`, '/recent-activity', `/schedule-move-out?lease=${lease}`),
    ...of(leaving, '/move-out-receipt'),
    ...of(marcus, '/proof-of-insurance', '/unit-map', '/online-payment-method', '/online-payment-ach'),
    ...of(terms, '/complete-lease'),
  ].map((page) => ({ ...page, what: page.path.replace(/\?.*/, '') }))
}

/** The number of the first lease on /my-units. */
async function firstLease(visitor: Visitor): Promise<string> {
  const { text } = await visitor.send('GET', '/my-units')
  const number = /\/unit-lease-details\?lease=(\d+)/.exec(text)?.[1]
  if (!number) throw new Error('A tenant of the demo rents no unit')
  return number
}

/** Opens a page and makes sure that it is that page. @throws Error for anything but the page itself */
export async function openPage({ visitor, path }: PageUnderMeasurement): Promise<void> {
  const answer = await visitor.send('GET', path)
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status} ${answer.headers.location ?? ''}`)
}

/**
 * Writes a facility with two tenants who are signed in: one with a unit, one with forty, both with ten years of charges and
 * payments; the pages are those on which either would be felt.
 */
export async function smallAndLargeTenant(db: Database, origin: string, serial: () => number): Promise<PagePair[]> {
  const today = new Date().toISOString().slice(0, 10)
  const nextPeriod = addDays(today, 12)
  await openFullFacility(db, db, code, 1 + manyUnits, nextPeriod)
  const token = (id: number) => createHash('sha256').update(`${code} ${id}`).digest('hex')
  const now = Date.now()
  await db.transaction(async (tx) => {
    // Lease 1 is the first tenant's, all others the second's; the other tenants were made along with the leases.
    await tx
      .updateTable('leases')
      .set({ tenant_id: 2 })
      .where('location_code', '=', code)
      .where('lease_number', '>', 1)
      .execute()
    // The newest four periods are there already. The first tenant has one of forty units' history.
    for (let back = 5; back <= manyPeriods; back += 1) {
      const start = addDays(nextPeriod, -PERIOD_DAYS * back)
      const end = addDays(start, PERIOD_DAYS - 1)
      for (const [kind, cents] of [
        ['rent', sql`10000 + lease_number % 9000`],
        ['insurance', sql`1200`],
        ['payment', sql`-11200 - lease_number % 9000`],
      ] as const)
        await sql`insert into ledger_entries (entry_id, location_code, lease_number, kind, cents, description, once, period_start,
            period_end, posted_on, created_at)
          select ${sql.lit(`${code}:${start}:${kind}:`)} || cast(lease_number as text), location_code, lease_number,
            ${sql.lit(kind)}, ${cents}, 'Bench', ${sql.lit(`period:${start}:${kind}`)}, ${sql.lit(start)}, ${sql.lit(end)},
            ${sql.lit(start)}, 0 from leases where location_code = ${sql.lit(code)} and lease_number > 1`.execute(tx)
    }
    for (const tenantId of [1, 2]) {
      const email = `portal.${tenantId}@example.com`
      await tx
        .insertInto('accounts')
        .values({
          ...{ account_id: `${code}-${tenantId}`, username: email, email, password_hash: '', question_id: 1 },
          ...{ security_answer_hash: '', created_at: now, password_changed_at: null },
        })
        .execute()
      await tx
        .insertInto('sign_ins')
        .values({
          ...{ token_hash: createHash('sha256').update(token(tenantId)).digest('hex'), kind: 'tenant' },
          ...{ account_id: `${code}-${tenantId}`, location_code: null, tenant_id: null, agent: 'bench' },
          ...{ address: '127.0.0.1', created_at: now, expires_at: now + 86_400_000, ended_at: null },
        })
        .execute()
      await tx
        .updateTable('tenants')
        .set({
          ...{ account_id: `${code}-${tenantId}`, email, email_key: email, grant_online_access: 1 },
          ...{ cell_phone: '3075550100', address: '12 Bench Road', city: 'Cheyenne', state: 'WY', zip: '82001' },
        })
        .where('location_code', '=', code)
        .where('tenant_id', '=', tenantId)
        .execute()
    }
  })
  if (db.engine === 'postgres') await sql`analyze`.execute(db.write)
  const visitorOf = (tenantId: number) => {
    const visitor = new Visitor(origin, serial())
    visitor.encoding = 'br'
    visitor.token = token(tenantId)
    return visitor
  }
  const [small, large] = [visitorOf(1), visitorOf(2)]
  return [
    ['/my-units', '', ''],
    ['/recent-activity', '', ''],
    ['/unit-lease-details', '?lease=1', '?lease=2'],
  ].map(([path = '', one, many]) => ({
    path,
    one: { what: path, path: path + one, visitor: small },
    many: { what: path, path: path + many, visitor: large },
  }))
}

/** Signs somebody in by the JSON door, each time from another address. @throws Error where it is refused */
export const signInOnce = async (origin: string, serial: number, username: string): Promise<void> =>
  void (await signedIn(origin, serial, username))
