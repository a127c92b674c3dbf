import type { Selectable } from 'kysely'
import type { Contact } from '../../domain/forms/reservation.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { TenantsTable } from '../../platform/schema/tables.ts'

// ── Reserving ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** For whom: somebody new (a session that has entered its tenant already corrects it); a tenant on file of this facility; an account's tenant of another facility, entered here as a new one. */
export type Renter =
  | { kind: 'new'; contact: Contact; duplicateOf?: number | null }
  | { kind: 'on file'; tenantId: number }
  | { kind: 'from elsewhere'; profile: Selectable<TenantsTable> }

export interface Wish {
  locationCode: string
  unitTypeId: number
  moveInDate: IsoDate
  rentNow: boolean
}

export type NamedContact = Pick<TenantsTable, 'first' | 'last' | 'email' | 'cell_phone'>
