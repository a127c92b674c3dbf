/** No column that keeps sealed text is missing from those that are sealed again: its key would be retired under it. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { tables } from '../platform/schema/tables.ts'
import { nameOf } from '../platform/sealing/reseal.ts'
import { demoServices } from '../tests/demo-services.ts'
import { folders, sourcesOf } from '../tests/structure.ts'
import { sealedColumns } from './sealed-columns.ts'

const known = sealedColumns.map(nameOf)
const columns = Object.entries(tables).flatMap(([table, declared]) =>
  Object.entries<string>(declared.columns).map(([column, type]) => ({
    table,
    column,
    isText: type.startsWith('text'),
  })),
)

it('every column that is named or typed as sealed is sealed again', () => {
  const typed = folders
    .flatMap(sourcesOf)
    .filter(({ path }) => path.endsWith('/tables.ts'))
    .flatMap(({ text }) => [...text.matchAll(/^\s+(\w+): Sealed\b/gm)])
    .map(([, column]) => column)
  const missing = columns
    .filter(({ column }) => /seal/.test(column) || typed.includes(column))
    .map((one) => `${one.table}.${one.column}`)
    .filter((name) => !known.includes(name))
  expect(typed.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

/** Where sealing happens, and what becomes of the text: kept in columns above, or handed out and never kept. */
const sealing: Record<string, 'kept' | 'handed out'> = {
  'demo/lease-parts.ts': 'kept',
  'demo/staff.ts': 'kept',
  'demo/tenancies.ts': 'kept',
  'demo/waiting-work.ts': 'kept',
  'modules/accounts/account-undos.ts': 'handed out',
  'modules/accounts/email-change.ts': 'kept',
  'modules/accounts/operations/validate-password-request-is-exist.ts': 'kept',
  'modules/accounts/registration-lookup.ts': 'handed out',
  'modules/accounts/undo-change.ts': 'kept',
  'modules/accounts/unlock-link.ts': 'handed out',
  'modules/appointments/appointments.ts': 'kept',
  'modules/leases/autopay-link.ts': 'handed out',
  'modules/leases/autopay-mandate.ts': 'kept',
  // The file goes by a key of its own, which the column keeps.
  'modules/liens/proof-file.ts': 'kept',
  'modules/lease-start/start-lease.ts': 'kept',
  'modules/payments/orders.ts': 'kept',
  'modules/payments/sealed-details.ts': 'kept',
  'modules/payments/settle.ts': 'kept',
  'modules/reservations/draft.ts': 'kept',
  'modules/staff/approvals.ts': 'kept',
  'modules/staff/mfa.ts': 'kept',
  'modules/staff/kept-forms.ts': 'kept',
  'modules/staff/invitations.ts': 'kept',
  'modules/staff/unlock-link.ts': 'handed out',
  'modules/tenants/identity.ts': 'kept',
  'platform/audit/day-seals.ts': 'kept',
  'platform/operations/idempotency.ts': 'kept',
  'platform/sealing/reseal.ts': 'kept',
  'platform/sealing/tenant-keys.ts': 'kept',
  'server/web/session.ts': 'handed out',
}

it('what is sealed goes into those columns, or out of the system; a sealed file by a key in them', () => {
  const found = folders
    .flatMap(sourcesOf)
    .filter(({ text }) => /\bsealer\.seal\(/.test(text))
    .map(({ path }) => path)
  // A new one: name its column in the card of its table, and the file here.
  expect(found.sort()).toEqual(Object.keys(sealing).sort())
})

const open = demoServices()

it('nothing sealed stands in any other column of a business that is in use', async () => {
  const { db } = await open()
  const pattern = /s1\.[A-Za-z0-9_-]{1,40}\.[A-Za-z0-9_-]{38,}/
  const found = new Set<string>()
  // Letters that have gone out hold links; they are kept in a demo alone.
  for (const { table, column } of columns.filter((one) => one.isText && one.table !== 'mailbox')) {
    const rows = await sql<{ text: string }>`
      select ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} like '%s1.%'`
      .execute(db.read)
      .catch(() => ({ rows: [] }))
    if (rows.rows.some(({ text }) => pattern.test(text))) found.add(`${table}.${column}`)
  }
  expect([...found].filter((name) => !known.includes(name))).toEqual([])
  expect(found.size).toBeGreaterThan(3)
})
