import { createHash } from 'node:crypto'
import type { Tenant } from './tenant.ts'

/** Columns of a tenant that make up the contact data. */
export const contactFields = [
  'first',
  'middle',
  'last',
  'email',
  'cell_phone',
  'home_phone',
  'work_phone',
  'address',
  'city',
  'state',
  'zip',
  'company',
  'company_address',
  'company_city',
  'company_state',
  'company_zip',
  'company_phone',
  'company_email',
] as const satisfies (keyof Tenant)[]

export type ContactField = (typeof contactFields)[number]

/** Returns a hash of a tenant's contact data, by which an operation detects that its form shows older data. */
export const contactDataHash = (tenant: Pick<Tenant, ContactField>): string =>
  createHash('sha256')
    .update(JSON.stringify(contactFields.map((field) => tenant[field])))
    .digest('hex')
    .slice(0, 16)
