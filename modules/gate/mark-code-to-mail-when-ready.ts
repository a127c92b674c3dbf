import type { Services } from '../../platform/operations/services.ts'
import type { GateCodesTable } from '../../platform/schema/tables.ts'
import { refreshGate } from './refresh-stored-gate-lists.ts'

/**
 * Marks a code, so that its tenant or auction winner gets a mail once the gate has taken it.
 * @returns whether the code was marked; false if the gate's list lacks the code or does not open for it
 */
export const markCodeForReadyMail = (
  services: Pick<Services, 'db' | 'clock' | 'random'>,
  { location_code, gate_code }: Pick<GateCodesTable, 'location_code' | 'gate_code'>,
): Promise<boolean> =>
  services.db.transaction(async (tx) => {
    // The gate's list may not have a new code yet.
    await refreshGate(tx, services, location_code, { onlyAnnounced: true })
    const marked = await tx
      .updateTable('gate_wanted')
      .set((eb) => ({ late_at: eb.fn.coalesce('late_at', eb.val(services.clock.now())) }))
      .where('location_code', '=', location_code)
      .where('gate_code', '=', gate_code)
      .where('opens', '=', 1)
      .where('gone', '=', 0)
      .executeTakeFirst()
    return marked.numUpdatedRows > 0n
  })
