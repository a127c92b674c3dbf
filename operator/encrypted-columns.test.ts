/** Checks that key rotation covers every column with encrypted text; a key that a missing column needs could be retired. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { qualifiedColumnName } from '../platform/encryption/rotate-keys.ts'
import { tables } from '../platform/schema/tables.ts'
import { folders, sourcesOf } from '../tests/structure.ts'
import { demoServices } from '../tests/support/seeded-demo-operator.ts'
import { sealedColumns } from './encrypted-columns.ts'

const rotatedColumns = sealedColumns.map(qualifiedColumnName)
const columns = Object.entries(tables).flatMap(([table, definition]) =>
  Object.entries<string>(definition.columns).map(([column, type]) => ({
    table,
    column,
    isText: type.startsWith('text'),
  })),
)

it('a key rotation covers every column that is named or typed as sealed', () => {
  const columnsTypedSealed = folders
    .flatMap(sourcesOf)
    .filter(({ path }) => path.endsWith('/table-types-and-privacy.ts'))
    .flatMap(({ text }) => [...text.matchAll(/^\s+(\w+): Sealed\b/gm)])
    .map(([, column]) => column)
  const missing = columns
    .filter(({ column }) => /seal/.test(column) || columnsTypedSealed.includes(column))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !rotatedColumns.includes(name))
  expect(columnsTypedSealed.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

/** Files that encrypt: 'kept' texts are stored in a column that is rotated, 'handed out' texts are not stored. */
const encryptingFiles: Record<string, 'kept' | 'handed out'> = {
  'demo/lease-rows.ts': 'kept',
  'demo/staff.ts': 'kept',
  'demo/tenancies.ts': 'kept',
  'demo/waiting-work.ts': 'kept',
  'modules/accounts/account-undo-links.ts': 'handed out',
  'modules/accounts/email-change.ts': 'kept',
  'modules/accounts/operations/mail-password-reset-code.ts': 'kept',
  'modules/accounts/registration-link.ts': 'handed out',
  'modules/accounts/internal/undo-change.ts': 'kept',
  'modules/accounts/unlock-link.ts': 'handed out',
  'modules/appointments/create-appointment.ts': 'kept',
  'modules/leases/autopay-off-link.ts': 'handed out',
  'modules/leases/autopay-mandate.ts': 'kept',
  // The file is encrypted with its own key, which the column stores.
  'modules/liens/lien-proof-files.ts': 'kept',
  'modules/lease-start/start-lease.ts': 'kept',
  'modules/payments/payment-orders.ts': 'kept',
  'modules/payments/order-terms-encryption.ts': 'kept',
  'modules/payments/settle-payment.ts': 'kept',
  'modules/reservations/draft.ts': 'kept',
  'modules/staff/approvals.ts': 'kept',
  'modules/staff/mfa.ts': 'kept',
  'modules/staff/operations/store-form-for-second-factor.ts': 'kept',
  'modules/staff/send-invitation.ts': 'kept',
  'modules/staff/unlock-link.ts': 'handed out',
  'modules/tenants/identity-data.ts': 'kept',
  'platform/audit/encrypted-day-hashes.ts': 'kept',
  'platform/operations/idempotency.ts': 'kept',
  'platform/encryption/rotate-keys.ts': 'kept',
  'platform/encryption/tenant-keys.ts': 'kept',
  'server/web/session.ts': 'handed out',
}

it('every file that encrypts is listed with what becomes of its texts', () => {
  const encryptingPaths = folders
    .flatMap(sourcesOf)
    .filter(({ text }) => /\bsealer\.seal\(/.test(text))
    .map(({ path }) => path)
  // For a new file: name its column in the card of its table, and add the file here.
  expect(encryptingPaths.sort()).toEqual(Object.keys(encryptingFiles).sort())
})

const open = demoServices()

it('no other column of a used database contains encrypted values', async () => {
  const { db } = await open()
  const pattern = /s1\.[A-Za-z0-9_-]{1,40}\.[A-Za-z0-9_-]{38,}/
  const found = new Set<string>()
  // The mailbox is left out: its sent mails contain encrypted links, and only a demo has one.
  for (const { table, column } of columns.filter((candidate) => candidate.isText && candidate.table !== 'mailbox')) {
    const rows = await sql<{ text: string }>`
      select ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} like '%s1.%'`
      .execute(db.read)
      .catch(() => ({ rows: [] }))
    if (rows.rows.some(({ text }) => pattern.test(text))) found.add(`${table}.${column}`)
  }
  expect([...found].filter((name) => !rotatedColumns.includes(name))).toEqual([])
  expect(found.size).toBeGreaterThan(3)
})
