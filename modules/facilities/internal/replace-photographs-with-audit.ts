import type { Kysely } from 'kysely'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityPhoto, replacePhotos } from '../photographs.ts'
import { recordFacilityChange } from '../setup-lock.ts'

/** Replaces a facility's photographs and writes the audit event, in the caller's transaction. */
export async function savePhotographs(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  { locationCode, photos, summary }: { locationCode: string; photos: FacilityPhoto[]; summary: string },
): Promise<void> {
  await replacePhotos(tx, locationCode, photos)
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: 'photographs.saved',
    details: { what: summary },
    permission: 'setup.save',
    locationCode,
  })
  await recordFacilityChange(tx, services, locationCode)
}
