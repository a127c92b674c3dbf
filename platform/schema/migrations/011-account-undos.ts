import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const undoTables = {
  account_undos: {
    undo_id: 'text',
    account_id: 'text',
    number: 'whole',
    kind: 'text',
    email: 'text',
    username: 'text',
    tenants: 'text',
    state: 'text',
    created_at: 'whole',
    expires_at: 'whole',
  },
} as const

/** What undoes a new e-mail address or password of an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'account_undos', undoTables.account_undos, {
    primary: 'undo_id',
    unique: ['account_id, number'],
    within: ['account_id → accounts'],
  })
  // An address that a link may restore is kept free for its account.
  await index(db, 'account_undos', 'email', { where: "state = 'open'" })
}
