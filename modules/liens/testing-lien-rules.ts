/** Test support: lien rules of a fictional state, and contents of proof files. */
import type { LienRules } from '../../domain/office/lien-rules.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { hashRules } from './lien-rules-by-state.ts'

export const fictionalRules: LienRules = {
  version: 'ZZ-2026-01',
  state: 'ZZ',
  statute: 'Code of nowhere § 1',
  inForceFrom: '2026-01-01',
  reviewedOn: '2026-11-01',
  defaultDays: 20,
  notice: {
    ways: { person: {}, 'e-mail': { unansweredNeeds: 'verified mail' }, 'verified mail': {} },
    payDays: 10,
    copies: ['lien holder'],
    wording: ['What is owed'],
  },
  advertisement: { ways: ['newspaper', 'website'], times: 2, daysApart: 7 },
  saleAfterDays: 15,
  surplusDays: 365,
  toVerify: [],
}

/**
 * Moves a facility to the fictional state, whose lien rules become the only ones.
 * @param signed whether the operator has signed the rules off
 */
export async function moveToFictionalState(
  services: Services & { db: Database },
  locationCode = 'GA1',
  signed = true,
): Promise<void> {
  services.lienRules = [fictionalRules]
  await services.db.write
    .updateTable('locations')
    .set({ state: 'ZZ' })
    .where('location_code', '=', locationCode)
    .execute()
  if (!signed) return
  const value = JSON.stringify({ digest: hashRules(fictionalRules), by: 'Owner', at: 0 })
  await services.db.write
    .insertInto('settings')
    .values({ name: `lien_sign_off:${fictionalRules.version}`, value, updated_at: 0 })
    .execute()
}

/** Returns content that is recognized as a PDF. */
export const pdf = (): Uint8Array => new TextEncoder().encode('%PDF-1.4\nproof')
export const photo = (): Uint8Array => new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
