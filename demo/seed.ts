import type { Insertable } from 'kysely'
import { emailKey } from '../domain/name-and-email-keys.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { DEFAULT_SECURITY_QUESTION_ID } from '../modules/accounts/rules/default-security-question.ts'
import { withUntypedTables } from '../platform/database/connection-without-table-types.ts'
import { bumpContentVersion } from '../platform/database/content-version.ts'
import type { Database, Transaction } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { seedDrawers } from './cash-drawers.ts'
import { facilities } from './facilities.ts'
import { type FacilityRecords, facilityRecords } from './facility-records.ts'
import { hasGateKey, seedGates } from './gates.ts'
import { seedLiens } from './liens.ts'
import { seedLinks } from './links-and-appointments.ts'
import { brand, brochureFile, insuranceSchemes, settings, states } from './operator-brand-settings-and-plans.ts'
import { seedOfficeOperations } from './rent-changes-and-fee-waiver.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { sitePlan } from './site-plan.ts'
import { seedStaff } from './staff.ts'
import { type Tenancies, tenancies } from './tenancies.ts'
import { seedTenantNotes } from './tenant-notes.ts'
import { demoPassword, people, usernameOf } from './tenants-with-leases-and-reservations.ts'
import { seedFieldWork } from './todays-round.ts'
import { seedWaitingWork } from './waiting-work.ts'

/** Answer to every demo account's security question. */
const demoSecurityAnswer = 'maple'

/**
 * Fills an empty database with the demo operator. Dates count from today in each facility's time zone. Each facility
 * with its people is added in one transaction, and each part of the work in progress in one or several, so a start
 * continues where an interrupted one stopped.
 */
export async function seedDemo(db: Database, parts: SeedParts): Promise<void> {
  const present = new Set(
    (await db.read.selectFrom('locations').select('location_code').execute()).map((row) => row.location_code),
  )
  const missing = facilities.filter((facility) => !present.has(facility.code))
  // An operator with facilities of its own gets no demo data.
  if ([...present].some((code) => !facilities.some((facility) => facility.code === code))) return
  await seedStaff(db, parts)
  // A demo with all facilities and a gate key has had the work, which staff members may have finished since.
  const addsWork = missing.length > 0 || !(await hasGateKey(db))
  if (missing.length > 0) await seedFacilities(db, parts, missing)
  if (addsWork) await seedFieldWork(db, parts)
  await seedTenantNotes(db, parts)
  await seedLinks(db, parts)
  if (addsWork) {
    await seedWaitingWork(db, parts)
    await seedDrawers(db, parts)
    await seedLiens(db, parts)
    await seedOfficeOperations(db, parts)
  }
  // The gates come last, since rows added to a facility with a connected gate would insert marks (`gate_marks`). Their
  // key shows at the next start that all the work above has been added.
  await seedGates(db, parts)
}

async function seedFacilities(db: Database, parts: SeedParts, missing: typeof facilities): Promise<void> {
  const accountIds = await seedBusiness(db, parts)
  const now = parts.clock.now()
  for (const facility of missing) {
    const plan = sitePlan(facility)
    const records = facilityRecords(facility, plan)
    const rows = tenancies({
      facility,
      plan,
      records,
      people: people.filter((person) => person.at === facility.code),
      today: todayIn(facility.timeZone, now),
      now,
      random: parts.random,
      accountIds,
      sealer: parts.sealer ?? null,
    })
    await db.transaction((tx) => insertFacility(tx, records, rows))
    // SQLite in process never yields, so let other work run.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Adds the demo operator's settings, states, insurance brochure and online accounts.
 * @returns account id by username
 */
async function seedBusiness(db: Database, parts: SeedParts): Promise<Map<string, string>> {
  const [password_hash, security_answer_hash] = await Promise.all([
    parts.hashPassword(demoPassword),
    parts.hashPassword(demoSecurityAnswer),
  ])
  await parts.drawBrochure?.({ fileName: brochureFile, operator: brand, schemes: insuranceSchemes })
  const now = parts.clock.now()
  const owners = new Map(people.flatMap((person) => (person.online ? [[usernameOf(person)!, person]] : [])))
  const accounts = [...owners].map(([username, person]) => ({
    account_id: parts.random.uuid(),
    username,
    email: emailKey(person.email),
    password_hash,
    question_id: DEFAULT_SECURITY_QUESTION_ID,
    security_answer_hash,
    created_at: now,
  }))
  return db.transaction(async (tx) => {
    const dated = settings.map((setting) => ({ ...setting, updated_at: now }))
    for (const [table, rows] of [
      ['settings', dated],
      ['states', states],
      ['accounts', accounts],
    ] as const)
      await withUntypedTables(tx)
        .insertInto(table)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const stored = await tx.selectFrom('accounts').select(['username', 'account_id']).execute()
    return new Map(stored.map((row) => [row.username, row.account_id]))
  })
}

async function insertFacility(tx: Transaction<Tables>, records: FacilityRecords, rows: Tenancies): Promise<void> {
  // No conflict column is named, since `locations` has several unique indexes: PostgreSQL would fail the second of two
  // concurrent inserts at an index that is not named.
  const inserted = await tx
    .insertInto('locations')
    .values(records.location)
    .onConflict((conflict) => conflict.doNothing())
    .returning('location_code')
    .executeTakeFirst()
  // Another process that started at the same time has written this facility.
  if (!inserted) return
  await insertAll(tx, 'location_contents', [records.contents])
  await insertAll(tx, 'unit_types', records.unitTypes)
  await insertAll(tx, 'discounts', records.discounts)
  await insertAll(tx, 'insurance_schemes', records.schemes)
  await insertAll(tx, 'fees', records.fees)
  await insertAll(tx, 'map_fixtures', records.fixtures)
  await insertAll(tx, 'units', rows.units)
  await insertAll(tx, 'tenants', rows.tenants)
  await insertAll(tx, 'leases', rows.leases)
  await insertAll(tx, 'lease_fees', rows.leaseFees)
  await insertAll(tx, 'gate_codes', rows.gateCodes)
  await insertAll(tx, 'ledger_entries', rows.ledger)
  await insertAll(tx, 'reservations', rows.reservations)
  await insertAll(tx, 'prospects', rows.prospects)
  await insertAll(tx, 'counters', rows.counters)
  await bumpContentVersion(tx)
}

/** Maximum number of values in one statement, below both databases' limits. */
const valuesPerStatement = 1500

async function insertAll<Name extends keyof Tables>(
  tx: Transaction<Tables>,
  table: Name,
  rows: Insertable<Tables[Name]>[],
): Promise<void> {
  if (rows.length === 0) return
  const step = Math.floor(valuesPerStatement / Object.keys(rows[0]!).length)
  for (let from = 0; from < rows.length; from += step) {
    await withUntypedTables(tx)
      .insertInto(table)
      .values(rows.slice(from, from + step))
      .execute()
  }
}
