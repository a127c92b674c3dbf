import { engineOf } from '../../platform/database/open.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import { isAvailable } from '../facilities/availability.ts'

const DAY_MS = 86_400_000

/** A unit that stays free is offered to the next person after this time. */
const TURN_MS = DAY_MS

/** An address is forgotten so long after its mail, and without one after a year. */
const [KEPT_MS, LONGEST_WAIT_MS] = [2 * DAY_MS, 365 * DAY_MS]

interface TypeKey {
  location_code: string
  unit_type_id: number
}

/** Tells who has waited longest for each type that has a free unit, one mail a pass and type. @returns how many */
export async function tellOfFreeUnits(services: Services): Promise<number> {
  const now = services.clock.now()
  const waiting = await services.db.read
    .selectFrom('waitlist')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'waitlist.location_code')
        .onRef('unit_types.unit_type_id', '=', 'waitlist.unit_type_id'),
    )
    .innerJoin('locations', 'locations.location_code', 'waitlist.location_code')
    .select(['waitlist.location_code', 'waitlist.unit_type_id'])
    .distinct()
    .where('told_at', 'is', null)
    .where('unit_types.retired_on', 'is', null)
    .where('locations.retired_on', 'is', null)
    .where('locations.coming_soon', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('units')
          .select('units.unit_id')
          .whereRef('units.location_code', '=', 'waitlist.location_code')
          .whereRef('units.unit_type_id', '=', 'waitlist.unit_type_id')
          .where(isAvailable(now) as never),
      ),
    )
    .execute()
  let told = 0
  for (const type of waiting) told += await tellNext(services, type)
  return told
}

/** One transaction: whose turn it is and the mail stand together, or neither does. */
const tellNext = (services: Services, { location_code, unit_type_id }: TypeKey): Promise<number> =>
  services.db.transaction(async (tx) => {
    const now = services.clock.now()
    const ofType = tx.selectFrom('waitlist').where((eb) => eb.and({ location_code, unit_type_id }))
    const first = await ofType
      .select('waitlist_id')
      .where('told_at', 'is', null)
      .orderBy('created_at')
      .orderBy('waitlist_id')
      .limit(1)
      // Another process that tells the same one is waited for, and what it did is seen below.
      .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst()
    if (!first) return 0
    const told = await ofType
      .select(['told_unit', 'mailed_at'])
      .where('told_at', '>', now - TURN_MS)
      .execute()
    // The one before first has the mail, so that mails go out in order too.
    if (told.some(({ mailed_at }) => mailed_at === null)) return 0
    const known = told.map(({ told_unit }) => told_unit ?? 0)
    const unit = await tx
      .selectFrom('units')
      .select('unit_id')
      .where((eb) => eb.and({ location_code, unit_type_id }))
      .where(isAvailable(now))
      .$if(known.length > 0, (query) => query.where('unit_id', 'not in', known))
      .orderBy('unit_id')
      .limit(1)
      .executeTakeFirst()
    if (!unit) return 0
    const { waitlist_id } = first
    const turn = await tx
      .updateTable('waitlist')
      .set({ told_at: now, told_unit: unit.unit_id })
      .where('waitlist_id', '=', waitlist_id)
      .where('told_at', 'is', null)
      .returning('waitlist_id')
      .executeTakeFirst()
    if (!turn) return 0
    await enqueue(tx, { kind: 'unit_free', once: waitlist_id, payload: { waitlistId: waitlist_id }, runAt: now })
    return 1
  })

/** @returns undefined where it has been forgotten, or erased, meanwhile */
export const waitOf = (services: Services, waitlistId: string) =>
  services.db.read
    .selectFrom('waitlist')
    .select(['location_code', 'unit_type_id', 'email', 'created_at'])
    .where('waitlist_id', '=', waitlistId)
    .executeTakeFirst()

export async function waitIsOver(services: Services, waitlistId: string): Promise<void> {
  await services.db.write
    .updateTable('waitlist')
    .set({ mailed_at: services.clock.now() })
    .where('waitlist_id', '=', waitlistId)
    .execute()
}

/** Forgets the addresses that have had their mail, and those that waited for a year. @returns how many */
export async function forgetWaits({ db, clock }: Services): Promise<number> {
  const now = clock.now()
  const gone = await db.write
    .deleteFrom('waitlist')
    .where((eb) => eb.or([eb('mailed_at', '<', now - KEPT_MS), eb('created_at', '<', now - LONGEST_WAIT_MS)]))
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
