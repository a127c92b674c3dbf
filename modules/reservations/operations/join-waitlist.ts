import * as v from 'valibot'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import { rowId } from '../../../platform/database/generate-row-id.ts'
import { integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { isOpenForRent, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { offeredTypes } from '../../facilities/rules/unretired-unit-types.ts'
import { tooManyWaits } from '../texts/reserve.ts'

/** Maximum number of waitlist entries of one e-mail address that still wait for a mail. */
const MAX_ENTRIES = 10

export const JoinWaitlist = internalOperation({
  name: 'JoinWaitlist',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    unit_type_id: integer(),
    email: v.pipe(plainLine, v.trim(), v.email(), v.maxLength(100)),
  }),
  limit: { points: 20, perSeconds: 3600 },
  example: { input: { location_code: 'ATL01', unit_type_id: 6, email: 'daphne.pruitt@example.com' } },
  async run(services, { location_code, unit_type_id, email: enteredEmail }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    const offered =
      facts && isOpenForRent(facts.location) && offeredTypes(facts).some((row) => row.unit_type_id === unit_type_id)
    if (!offered) return recordNotFound
    const email = emailKey(enteredEmail)
    return services.db.transaction(async (tx) => {
      const entries = await tx
        .selectFrom('waitlist')
        .select(['location_code', 'unit_type_id'])
        .where('email', '=', email)
        .where('told_at', 'is', null)
        .limit(MAX_ENTRIES)
        .execute()
      const isRepeated = entries.some(
        (entry) => entry.location_code === location_code && entry.unit_type_id === unit_type_id,
      )
      if (isRepeated) return succeed({ waits: true })
      if (entries.length === MAX_ENTRIES) return refuse(429, 'too_many', tooManyWaits, { retryAfter: 86_400 })
      // A request repeated at the same time keeps the first place in line.
      await tx
        .insertInto('waitlist')
        .values({
          waitlist_id: rowId(services),
          location_code,
          unit_type_id,
          email,
          created_at: services.clock.now(),
          told_at: null,
          told_unit: null,
          mailed_at: null,
        })
        .onConflict((conflict) =>
          conflict.columns(['location_code', 'unit_type_id', 'email']).where('told_at', 'is', null).doNothing(),
        )
        .execute()
      return succeed({ waits: true })
    })
  },
})
