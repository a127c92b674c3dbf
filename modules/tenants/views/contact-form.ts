import { formatPhone } from '../../../domain/phone.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import { type ContactField, contactDataHash, contactFields } from '../contact-data-hash.ts'
import type { Tenant } from '../tenant.ts'

/** Contact data of a tenant as a form of the office shows it. */
export interface ContactForm {
  values: Record<ContactField, string>
  /** `contactDataHash` of the contact data, which the form sends back. */
  version: string
}

/** Returns the values of the form that changes a tenant's contact data. */
export const contactFormOf = (tenant: Pick<Tenant, ContactField>): ContactForm => ({
  values: recordOf(contactFields, (field) => (field.endsWith('_phone') ? formatPhone(tenant[field]) : tenant[field])),
  version: contactDataHash(tenant),
})
