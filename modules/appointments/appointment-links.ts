import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/open.ts'
import { CONFIRM } from './rules/appointment-link-parameters.ts'

/** Value of `confirmation_source` in mailed links. */
export const confirmationSource = 'email'

/** Returns the hash of an appointment link's token (SHA-256, hex), which is stored instead of the token. */
export const appointmentTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Returns the context with which an appointment's token is sealed in the jobs of its mails. */
export const tokenContext = (appointmentId: number) => `appointment:${appointmentId}:token`

/**
 * Returns the path and query of the link that is mailed for an appointment with the property manager.
 * @param option 'confirm' to confirm the appointment, 'other' to ask for another time
 */
export const appointmentPath = (appointmentId: number, token: string, option = CONFIRM): string =>
  `/confirm_appointment?${new URLSearchParams({
    appointment_id: String(appointmentId),
    confirmation_source: confirmationSource,
    confirmation_token: token,
    option,
  })}`

/** Returns whether the link of any appointment has this token. */
export async function isAppointmentToken(db: Database['read'], token: string): Promise<boolean> {
  const row = await db
    .selectFrom('appointments')
    .select('appointment_id')
    .where('token_hash', '=', appointmentTokenHash(token))
    .executeTakeFirst()
  return row !== undefined
}
