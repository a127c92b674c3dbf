import type { Kysely } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadFacility } from '../../facilities/views/facility-lookups.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import {
  loadAuctionLink,
  loadSettlementLink,
  type SettlementLink,
  type WonUnit,
} from '../auction-and-settlement-link-records.ts'

/** Types of personal payment links, by their payer. */
export interface LinkByPayer {
  auction: WonUnit
  settlement: SettlementLink
}

/** Facility of a payment link, with its address in one line and its phone formatted. */
export interface LinkFacility {
  address: string
  phone: string
  timeZone: string
  gateHours: string
  /** How to find the unit, in the facility's words; '' without a text. */
  directions: string
  place: { address: string; city: string; state: string; zip: string }
}

const loadLink: {
  [Payer in keyof LinkByPayer]: (
    db: Kysely<Tables>,
    uuid: string,
    options: { withdrawn?: true },
  ) => Promise<LinkByPayer[Payer] | null>
} = { auction: loadAuctionLink, settlement: loadSettlementLink }

/**
 * Loads a payment link with its facility; null when the link is unknown or withdrawn. `facility` is null where it no
 * longer exists.
 * @param options `withdrawn`: also loads a withdrawn link
 */
export async function loadPaymentLink<Payer extends keyof LinkByPayer>(
  services: Services,
  payer: Payer,
  uuid: string,
  options: { withdrawn?: true },
): Promise<{ link: LinkByPayer[Payer]; facility: LinkFacility | null } | null> {
  const link = await loadLink[payer](services.db.read, uuid, options)
  return link && { link, facility: await loadLinkFacility(services, link.location_code) }
}

async function loadLinkFacility(services: Services, locationCode: string): Promise<LinkFacility | null> {
  const facility = await loadFacility(services, locationCode)
  if (!facility) return null
  const { address, city, state, zip, timeZone, gateHours, directions } = facility
  return {
    address: `${address}, ${city}, ${state} ${zip}`,
    phone: await loadSupportPhone(services, facility),
    timeZone,
    gateHours,
    directions,
    place: { address, city, state, zip },
  }
}
