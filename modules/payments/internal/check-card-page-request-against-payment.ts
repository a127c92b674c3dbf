import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { optionalText, webAddress } from '../../../platform/operations/input-fields.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import {
  type FieldComparison,
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'

const contact = v.object({
  first: optionalText(60),
  last: optionalText(60),
  email: optionalText(254),
  cell_phone: optionalText(20),
  address: optionalText(140),
  city: optionalText(60),
  state: optionalText(2),
  zip: optionalText(10),
})
type Contact = v.InferOutput<typeof contact>

export const pageFields = {
  total_amount: optionalText(20),
  /** Rent that the caller states; compared with the amounts that `pageFieldsRefusal` gets as `ours.rents`. */
  rent_amount: optionalText(20),
  /** A path or URL of this site. The card frame always returns to our own return page. */
  return_url: webAddress(300),
  contact: v.optional(contact),
}

interface StatedFields {
  rent_amount: string
  return_url: string
  contact?: Contact | undefined
}

const sameContact = (stated: Contact, ours: Partial<Contact>): boolean =>
  keysOf(stated).every((name) => {
    const expected = ours[name]
    if (stated[name] === '' || expected === undefined) return true
    const isSame: FieldComparison =
      name === 'email'
        ? fieldComparisons.email(expected)
        : name === 'cell_phone'
          ? fieldComparisons.phone(expected)
          : fieldComparisons.name(expected)
    return isSame(stated[name])
  })

/**
 * Returns a refusal that names the fields of a card-page request (rent, return URL, contact) that differ from what is
 * being paid; null where they agree.
 * @param ours rents: amounts in cents, any of which the stated rent may equal; payer: null if the caller may not read
 *   the payer's data
 */
export function pageFieldsRefusal(
  services: Pick<Services, 'publicUrl'>,
  stated: StatedFields,
  ours: { rents: readonly Cents[]; payer: Partial<Contact> | null },
): Refusal | null {
  const isOwnAddress: FieldComparison = (url) =>
    url.startsWith('/') ? !/^\/[/\\]/.test(url) : URL.parse(url)?.origin === new URL(services.publicUrl).origin
  const { payer } = ours
  // Blank fields are not compared, so a contact that matches is passed as ''.
  const contactMatches = stated.contact === undefined || payer === null || sameContact(stated.contact, payer)
  return refuseDifferingFields(
    { rent_amount: stated.rent_amount, return_url: stated.return_url, contact: contactMatches ? '' : 'differs' },
    {
      rent_amount: (amount) => ours.rents.some((rent) => fieldComparisons.amount(rent)(amount)),
      return_url: isOwnAddress,
      contact: () => contactMatches,
    },
    'This is not what is paid.',
  )
}
