import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Ends the sign-in of this token, not the staff member's others; audits it if the caller is still signed in. */
export async function endOfficeSignIn(services: Services, token: string, callers: Callers): Promise<void> {
  await services.db.transaction(async (tx) => {
    await tx
      .updateTable('staff_sign_ins')
      .set({ ended_at: services.clock.now() })
      .where('token_hash', '=', tokenHash(token))
      .where('ended_at', 'is', null)
      .execute()
    if (callers.staff)
      await writeAuditEvent(tx, services, staffActor(callers), { kind: 'staff.signed_out', details: {} })
  })
}
