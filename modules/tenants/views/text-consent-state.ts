import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadNewestChoice, mayAgree } from '../sms-consent.ts'

/**
 * Returns the state of text messages that the profile shows.
 * @returns 'fixed' when only START from the number turns them on again
 */
export async function loadTextConsentState(db: Kysely<Tables>, phone: string): Promise<'on' | 'off' | 'fixed'> {
  const choice = await loadNewestChoice(db, phone)
  return choice?.choice === 'agreed' ? 'on' : mayAgree(choice, 'profile') ? 'off' : 'fixed'
}
