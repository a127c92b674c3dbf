import type { Kysely } from 'kysely'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityPhoto, setPhotos } from '../photographs.ts'
import { facilityChanged } from '../setup-lock.ts'

export async function save(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  { locationCode, photos, what }: { locationCode: string; photos: FacilityPhoto[]; what: string },
): Promise<void> {
  await setPhotos(tx, locationCode, photos)
  await audit(tx, services, staffActor(callers), {
    kind: 'photographs.saved',
    details: { what },
    permission: 'setup.save',
    locationCode,
  })
  await facilityChanged(tx, services, locationCode)
}
