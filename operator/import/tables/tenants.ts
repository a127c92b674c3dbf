import { code, email, flag, json, optional, phone, state, text, zip } from '../columns.ts'
import { atFacility, type ImportTable, number, row } from './table.ts'

export const tenantTables: readonly ImportTable[] = [
  {
    file: 'tenants',
    table: 'tenants',
    columns: {
      location_code: code,
      tenant_id: number,
      first: text(60),
      middle: optional(text(60)),
      last: text(60),
      company: optional(text(100)),
      email: optional(email),
      cell_phone: optional(phone),
      home_phone: optional(phone),
      work_phone: optional(phone),
      address: optional(text()),
      city: optional(text(100)),
      state: optional(state),
      zip: optional(zip),
      company_address: optional(text()),
      company_city: optional(text(100)),
      company_state: optional(state),
      company_zip: optional(zip),
      company_phone: optional(phone),
      company_email: optional(email),
      active_military: optional(flag, 0),
      military: optional(json, '{}'),
    },
    keys: [row('location_code', 'tenant_id')],
    references: [atFacility],
    conflict: ['location_code', 'tenant_id'],
  },
]
