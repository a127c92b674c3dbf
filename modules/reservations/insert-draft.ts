import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { RentalDraftsTable, Tables } from '../../platform/schema/tables.ts'
import { encryptAnswers, toDraft } from './draft.ts'
import type { Draft } from './rules/journey/draft.ts'
import type { Answers } from './rules/journey/journey-answers.ts'

export interface NewDraft {
  locationCode: string
  unitTypeId: number
  tenantId?: number | null
  enteredTenantId?: number | null
  reservationCode?: string | null
  existingTenant?: boolean
  rentNow?: boolean
  answers?: Answers
}

/** Inserts a rental draft with a new random id. Its sealed answers are encrypted. */
export async function insertDraft(tx: Kysely<Tables>, services: Services, draft: NewDraft): Promise<Draft> {
  const draftId = services.random.hex(16)
  const now = services.clock.now()
  const row: RentalDraftsTable = {
    draft_id: draftId,
    location_code: draft.locationCode,
    unit_type_id: draft.unitTypeId,
    tenant_id: draft.tenantId ?? null,
    entered_tenant_id: draft.enteredTenantId ?? null,
    reservation_code: draft.reservationCode ?? null,
    existing_tenant: draft.existingTenant ? 1 : 0,
    rent_now: draft.rentNow ? 1 : 0,
    ...encryptAnswers(services, draftId, draft.answers ?? {}),
    version: 1,
    created_at: now,
    touched_at: now,
    left_at: null,
  }
  await tx.insertInto('rental_drafts').values(row).execute()
  return toDraft(services, row)
}
