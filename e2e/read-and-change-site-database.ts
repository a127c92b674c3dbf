import { bumpContentVersion } from '../platform/database/content-version.ts'
import { openDatabase, type Transaction } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { expect, type RunningSite } from './fixtures.ts'

type Read = Awaited<ReturnType<typeof openDatabase>>['read']

/** Reads the committed data of the running site. */
export async function readRecords<T>(site: RunningSite, read: (db: Read) => Promise<T>): Promise<T> {
  const db = await openDatabase({ dataDir: site.dataDir, readOnly: true })
  try {
    return await read(db.read)
  } finally {
    await db.close()
  }
}

/** Changes the data of the running site from another process, as the operator's commands do. */
export async function change(
  site: Pick<RunningSite, 'dataDir'>,
  write: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  const db = await openDatabase({ dataDir: site.dataDir })
  try {
    await db.transaction(async (tx) => {
      await write(tx)
      await bumpContentVersion(tx)
    })
  } finally {
    await db.close()
  }
}

/**
 * Waits until the address has exactly one mail whose subject matches.
 * @returns the mail's text
 */
export async function waitForMail(site: RunningSite, address: string, subject: RegExp): Promise<string> {
  let found: { subject: string; text: string }[] = []
  const mailbox = () =>
    readRecords(site, (db) =>
      db.selectFrom('mailbox').select(['subject', 'text']).where('recipient', '=', address).execute(),
    )
  await expect
    .poll(
      async () => {
        found = (await mailbox()).filter((mail) => subject.test(mail.subject))
        return found.length
      },
      { message: `mail to ${address} about ${subject}`, timeout: 30_000 },
    )
    .toBe(1)
  return found[0]?.text ?? ''
}

/** Returns the payments, in any state, of the tenants with the e-mail address. */
export const loadPaymentsOf = (site: RunningSite, email: string) =>
  readRecords(site, (db) =>
    db
      .selectFrom('payments')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'payments.tenant_id')
          .onRef('tenants.location_code', '=', 'payments.location_code'),
      )
      .select(['order_id', 'payments.state', 'payer', 'amount', 'bank_label'])
      .where('tenants.email', '=', email)
      .execute(),
  )

/**
 * Checks that a renter's e-mail address has one lease and one posted payment, and that the card provider has one charge
 * of this payment's amount.
 * @returns the lease's row, the number of payments in any state, and the posted amount in cents
 */
export async function expectPaidOnce(site: RunningSite, email: string) {
  const payments = await loadPaymentsOf(site, email)
  const leases = await readRecords(site, (db) =>
    db
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id')
          .onRef('tenants.location_code', '=', 'leases.location_code'),
      )
      .selectAll('leases')
      .where('tenants.email', '=', email)
      .execute(),
  )
  const charged = await Promise.all(
    payments.map(async ({ order_id }) => {
      const response = await fetch(`${site.sandboxUrl}/sandbox/ledger?orderId=${order_id}`)
      const { orders } = (await response.json()) as { orders: { charges: { cents: number }[] }[] }
      return orders.flatMap(({ charges }) => charges.map(({ cents }) => cents))
    }),
  )
  const posted = payments.filter(({ state }) => state === 'posted')
  expect(posted).toHaveLength(1)
  expect(charged.flat()).toEqual([posted[0]?.amount])
  expect(leases).toHaveLength(1)
  return { lease: leases[0], orders: payments.length, cents: posted[0]?.amount }
}
