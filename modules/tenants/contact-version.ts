import { createHash } from 'node:crypto'
import type { Tenant } from './tenant.ts'

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

/** Names the contact data that a form was made from: another one where any of them has changed. */
export const contactVersion = (tenant: Pick<Tenant, ContactField>): string =>
  createHash('sha256')
    .update(JSON.stringify(contactFields.map((field) => tenant[field])))
    .digest('hex')
    .slice(0, 16)
