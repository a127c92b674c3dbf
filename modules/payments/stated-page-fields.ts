import * as v from 'valibot'
import type { Cents } from '../../domain/money.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import { refusedDiffering, type Same, same } from '../../platform/operations/compare-with-record.ts'
import { optional, webAddress } from '../../platform/operations/input-fields.ts'
import type { Refusal } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'

const contact = v.object({
  first: optional(60),
  last: optional(60),
  email: optional(254),
  cell_phone: optional(20),
  address: optional(140),
  city: optional(60),
  state: optional(2),
  zip: optional(10),
})
type Contact = v.InferOutput<typeof contact>

export const pageFields = {
  total_amount: optional(20),
  /** The rent within the total, before or after discount. */
  rent_amount: optional(20),
  /** A path or URL of this site. The card frame always returns to our own return page. */
  return_url: webAddress(300),
  contact: v.optional(contact),
}

interface Said {
  rent_amount: string
  return_url: string
  contact?: Contact | undefined
}

const sameContact = (said: Contact, ours: Partial<Contact>): boolean =>
  keysOf(said).every((name) => {
    const one = ours[name]
    if (said[name] === '' || one === undefined) return true
    const isSame: Same = name === 'email' ? same.email(one) : name === 'cell_phone' ? same.phone(one) : same.name(one)
    return isSame(said[name])
  })

/**
 * Refuses page fields that differ from our values; null where they agree.
 * @param ours `payer` is null where the caller may not read the payer's data
 */
export function refusedPage(
  services: Pick<Services, 'publicUrl'>,
  said: Said,
  ours: { rents: readonly Cents[]; payer: Partial<Contact> | null },
): Refusal | null {
  const isOurs: Same = (url) =>
    url.startsWith('/') ? !/^\/[/\\]/.test(url) : URL.parse(url)?.origin === new URL(services.publicUrl).origin
  const { payer } = ours
  const fits = said.contact === undefined || payer === null || sameContact(said.contact, payer)
  return refusedDiffering(
    { rent_amount: said.rent_amount, return_url: said.return_url, contact: fits ? '' : 'differs' },
    {
      rent_amount: (rent) => ours.rents.some((one) => same.amount(one)(rent)),
      return_url: isOurs,
      contact: () => fits,
    },
    'This is not what is paid.',
  )
}
