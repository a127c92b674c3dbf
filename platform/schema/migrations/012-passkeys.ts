import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

/** Columns that join tables of earlier migrations. */
export const passkeyColumns = {
  accounts: { passkey_offer_declined_at: 'whole?' },
  sign_ins: { passkey_id: 'text?' },
} as const

export const passkeyTables = {
  passkeys: {
    passkey_id: 'text',
    account_id: 'text',
    credential_id: 'text',
    public_key: 'text',
    counter: 'whole',
    transports: 'text',
    synced: 'flag',
    name: 'text',
    created_at: 'whole',
    last_used_at: 'whole?',
  },
  passkey_challenges: {
    challenge: 'text',
    browser: 'text',
    purpose: 'text',
    subject: 'text?',
    expires_at: 'whole',
  },
} as const

export async function up(db: Kysely<unknown>): Promise<void> {
  const types =
    engineOf(db) === 'sqlite'
      ? { 'text?': 'text', 'whole?': 'integer' }
      : { 'text?': 'text collate "C"', 'whole?': 'bigint' }
  for (const [table, columns] of Object.entries(passkeyColumns))
    for (const [name, type] of Object.entries(columns))
      await sql`alter table ${sql.table(table)} add column ${sql.ref(name)} ${sql.raw(types[type])}`.execute(db)
  await createTable(db, 'passkeys', passkeyTables.passkeys, {
    primary: 'passkey_id',
    unique: ['credential_id'],
    within: ['account_id → accounts'],
  })
  await index(db, 'passkeys', 'account_id')
  await index(db, 'sign_ins', 'passkey_id', { where: 'passkey_id is not null' })
  await createTable(db, 'passkey_challenges', passkeyTables.passkey_challenges, { primary: 'challenge' })
  await index(db, 'passkey_challenges', 'expires_at')
}
