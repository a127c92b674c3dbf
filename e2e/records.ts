/** What the site has written down, read beside it: the mailbox, payments, leases and the ledger; and the card provider's own books. */

import type { Cents } from '../domain/money.ts'
import { bumpContentVersion } from '../platform/database/content-version.ts'
import { openDatabase, type Transaction } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { expect, type RunningSite } from './fixtures.ts'

type Read = Awaited<ReturnType<typeof openDatabase>>['read']

/** Reads the site's database from outside, as it is committed now. */
export async function look<T>(site: RunningSite, read: (db: Read) => Promise<T>): Promise<T> {
  const db = await openDatabase({ dataDir: site.dataDir, readOnly: true })
  try {
    return await read(db.read)
  } finally {
    await db.close()
  }
}

/** Changes what the operator has laid down, as the operator's own commands do beside the running site. */
export async function change(site: RunningSite, write: (tx: Transaction<Tables>) => Promise<unknown>): Promise<void> {
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

export interface Letter {
  subject: string
  text: string
  html: string
  attachments: { filename: string; content_type: string }[]
}

/** Mail to this address, the oldest first. */
export async function mailTo(site: RunningSite, address: string): Promise<Letter[]> {
  const rows = await look(site, (db) =>
    db
      .selectFrom('mailbox')
      .selectAll()
      .where('channel', '=', 'mail')
      .where('recipient', '=', address)
      .orderBy('created_at')
      .execute(),
  )
  return rows.map(({ subject, text, html, attachments }) => ({
    subject,
    text,
    html,
    attachments: JSON.parse(attachments),
  }))
}

/** Waits for the mail whose subject says this; there must be one such mail only. */
export async function letter(site: RunningSite, address: string, subject: RegExp): Promise<Letter> {
  let found: Letter[] = []
  await expect
    .poll(
      async () => {
        found = (await mailTo(site, address)).filter((one) => subject.test(one.subject))
        return found.length
      },
      { message: `mail to ${address} about ${subject}`, timeout: 15_000 },
    )
    .toBe(1)
  return found[0] as Letter
}

/** The payments behind a renter's e-mail address, the oldest first. */
export const paymentsOf = (site: RunningSite, email: string) =>
  look(site, (db) =>
    db
      .selectFrom('payments')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'payments.tenant_id')
          .onRef('tenants.location_code', '=', 'payments.location_code'),
      )
      .selectAll('payments')
      .where('tenants.email', '=', email)
      .orderBy('payments.created_at')
      .execute(),
  )

export const leasesOf = (site: RunningSite, email: string) =>
  look(site, (db) =>
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

export const ledgerOf = (site: RunningSite, lease: { location_code: string; lease_number: number }) =>
  look(site, (db) =>
    db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('location_code', '=', lease.location_code)
      .where('lease_number', '=', lease.lease_number)
      .execute(),
  )

/** What the card provider took for an order, in cents, charge by charge, less what it gave back. */
export async function charged(site: RunningSite, orderId: string): Promise<Cents[]> {
  const answer = await fetch(`${site.sandboxUrl}/sandbox/ledger?orderId=${encodeURIComponent(orderId)}`)
  const { orders } = (await answer.json()) as {
    orders: { charges: { cents: number }[]; returns: { cents: number }[] }[]
  }
  return orders.flatMap((order) => [
    ...order.charges.map(({ cents }) => cents),
    ...order.returns.map(({ cents }) => -cents),
  ])
}
