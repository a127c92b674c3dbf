import type { TenantFlag } from '../../domain/office/tenant-flags.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { identityContext } from './identity-data.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    tenants: Record<'active_military' | 'grant_online_access', Flag> & {
      /** {military_branch, military_base, commanding_officer}; {} when no details are recorded. */
      military: Json
      /** Encrypted JSON of an `Identity` (identity-data.ts). */
      identity_sealed: Sealed | null
    }
    tenant_flags: { flag: TenantFlag }
    text_choices: {
      choice: 'agreed' | 'stopped'
      asked_at: 'gate_code' | 'rental' | 'desk' | 'profile' | 'office' | 'reply'
    }
  }
}

export const tenantsCards: TableCards = {
  tenants: {
    file: 'contact',
    name: 'Name, contact data and license',
    rows: 'tenant',
    erasure: 'columns',
    why: 'The tenant’s number, without a name.',
    shown: ['location_code', 'tenant_id', 'grant_online_access', 'created_at', 'erased_at'],
    erased: [
      'first',
      'middle',
      'last',
      'company',
      'email',
      'cell_phone',
      'home_phone',
      'work_phone',
      'address',
      'city',
      'state',
      'zip',
      'active_military',
      'military',
      'identity_sealed',
      'company_address',
      'company_city',
      'company_state',
      'company_zip',
      'company_phone',
      'company_email',
    ],
    wiped: ['account_id', 'first_key', 'last_key', 'email_key'],
    as: { first: 'Erased', last: 'tenant', military: '{}' },
    sealed: {
      identity_sealed: { context: (row) => identityContext(row.location_code, row.tenant_id) },
    },
  },
  tenant_notes: {
    file: 'notes',
    name: 'Notes',
    rows: 'tenant',
    by: 'note_id',
    erasure: 'rows',
    shown: ['created_at', 'lease_number', 'note'],
    hidden: ['note_id', 'location_code', 'tenant_id', 'staff_id'],
  },
  tenant_flags: {
    file: 'flags',
    name: 'Flags',
    rows: 'tenant',
    erasure: 'rows',
    shown: ['flag', 'note', 'set_at'],
    hidden: ['location_code', 'tenant_id', 'set_by'],
  },
  text_choices: {
    file: 'text-messages',
    name: 'Consent to text messages, and STOP',
    rows: 'cell phone',
    by: 'choice_id',
    erasure: 'columns',
    why: 'A number that said STOP is not texted again, and that it agreed is our proof.',
    shown: ['phone', 'choice', 'asked_at', 'wording', 'created_at'],
    hidden: ['choice_id', 'staff_id'],
  },
}
