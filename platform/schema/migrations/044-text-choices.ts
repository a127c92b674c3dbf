import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const textChoiceTables = {
  text_choices: {
    choice_id: 'text',
    phone: 'text',
    choice: 'text',
    asked_at: 'text',
    wording: 'text',
    staff_id: 'text?',
    created_at: 'whole',
  },
} as const

/** Who agreed to text messages, in which words and when, and who has said STOP. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'text_choices', textChoiceTables.text_choices, { primary: 'choice_id' })
  await index(db, 'text_choices', 'phone, created_at')
}
