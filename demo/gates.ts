import { lockFacility } from '../modules/facilities/lock-facility-for-setup.ts'
import { loadGate } from '../modules/gate/load-and-lock-facility-gate.ts'
import type { GateWeek } from '../modules/gate/rules/gate-hours.ts'
import { gateHoursWithout24, parseGateHours } from '../modules/gate/rules/parse-gate-hours.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import type { Database } from '../platform/database/open.ts'
import { tokenHash } from '../platform/encryption/token-hash.ts'
import { facilities } from './facilities.ts'
import type { SeedParts } from './seed-dependencies.ts'

/** Key of the simulated gate controllers in the sandbox. It is no secret: it exists only in demos. */
export const demoGateToken = 'lk_demogates001_no-secret-opens-only-pretend-gates-of-demos'

const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Returns a demo facility's gate hours for each weekday; open all day if the text cannot be parsed. */
function weekOf(gateHours: string): GateWeek {
  const hours = parseGateHours(gateHoursWithout24(gateHours)) ?? { from: 0, to: 24 * 60 }
  return Array.from({ length: 7 }, () => [clockText(hours.from), clockText(hours.to)] as const)
}

const KEY_ID = demoGateToken.slice(3, 15)

/** Returns whether the key of the simulated gate controllers is stored; `seedGates` stores the key before any gate. */
export const hasGateKey = async (db: Database): Promise<boolean> =>
  (await db.read.selectFrom('machine_keys').select('key_id').where('key_id', '=', KEY_ID).executeTakeFirst()) !==
  undefined

/** Connects the gates to the sandbox's controllers, except gates that are set up already: an owner's changes stay. */
export async function seedGates(db: Database, parts: SeedParts): Promise<void> {
  await seedKey(db, parts)
  for (const { code, gateHours } of facilities)
    await db.transaction(async (tx) => {
      // `lockFacility` finds neither the operator's office nor a facility that another process is still adding.
      if (!(await lockFacility(tx, code)) || (await loadGate(tx, code))) return
      await setGate(tx, parts, code, { kind: 'pull', week: weekOf(gateHours) })
    })
}

const seedKey = (db: Database, { clock }: SeedParts) =>
  db.write
    .insertInto('machine_keys')
    .values({
      key_id: KEY_ID,
      name: 'Simulated gates of the sandbox',
      role: 'gate',
      scopes: 'all',
      pii: 0,
      per_minute: 6000,
      secret_hash: tokenHash(demoGateToken),
      previous_hash: null,
      previous_until: null,
      expires_at: null,
      created_by: 'demo',
      created_at: clock.now(),
      revoked_at: null,
      last_used_at: null,
      last_address: '',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
