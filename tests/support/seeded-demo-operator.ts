/**
 * The demo operator for whole-system tests, with services and callers. `demoServices` seeds it once for each random seed
 * and copies it for each call. The clock is at noon in Atlanta on Friday, November 20, 2026, until a test moves it.
 */

import { join } from 'node:path'
import { seedDemo } from '../../demo/seed.ts'
import { embeddedPropertyManagement } from '../../modules/appointments/answer-proposed-appointment-in-own-database.ts'
import { createMailbox } from '../../modules/messages/development-mailbox.ts'
import { rentalCallerOf } from '../../modules/reservations/draft.ts'
import { insertDraft, type NewDraft } from '../../modules/reservations/insert-draft.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { RateLimits } from '../../platform/rate-limit-counters.ts'
import { type Bank, BankUnavailable } from '../../ports/bank/bank.ts'
import { type CardProvider, CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { capturedSms } from '../../ports/sms/captured.ts'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { closeAfterTests, copyOf, placeOf, sqliteTemplate } from './databases.ts'
import { noon, passwords, type RecordedSecurityEvents, recordingSecurity, sealer } from './small-operator.ts'

export { noon, passwords, sealer } from './small-operator.ts'

export const noCardProvider: CardProvider = {
  pageOrigin: 'http://127.0.0.1:1',
  ...Object.fromEntries(
    (['createHostedPage', 'queryPayment', 'saleByAlias', 'refund'] as const).map((name) => [
      name,
      async () => {
        throw new CardProviderUnavailable('refused', 'There is no card provider here')
      },
    ]),
  ),
} as CardProvider

/** A bank that is always unavailable. */
const noBank = new Proxy({} as Bank, {
  get: () => async () => {
    throw new BankUnavailable('refused', 'there is no bank here')
  },
})

export type DemoServices = Services & {
  clock: ReturnType<typeof fixedClock>
  reported: unknown[]
  security: { recorded: RecordedSecurityEvents }
}

/**
 * Fills a fresh database with the demo operator.
 * @param seed random seed; another seed gives another business
 */
export const seedDemoInto = (db: Database, seed: number): Promise<void> =>
  seedDemo(db, { clock: fixedClock(noon), random: seededRandom(seed), hashPassword: passwords.hash, sealer })

/** Creates services on a demo database, with a clock at noon of November 20, 2026. */
export function servicesOn(
  db: Database,
  filesFolder: string,
  parts: Partial<Omit<Services, 'clock' | 'security'>> = {},
): DemoServices {
  const clock = fixedClock(noon)
  const reported: unknown[] = []
  return {
    db,
    clock,
    reported,
    limits: new RateLimits({ db, clock }),
    random: seededRandom(2026),
    sealer,
    passwords,
    cardProvider: noCardProvider,
    files: folderFiles(filesFolder),
    geocoder: { find: async () => ({ found: null, why: 'unknown' }) },
    ipLocation: { locate: async () => null },
    errors: { report: (error) => reported.push(error) },
    security: recordingSecurity(),
    sms: capturedSms({ mailbox: createMailbox(db), clock }),
    bank: noBank,
    propertyManagement: embeddedPropertyManagement({ db, clock }),
    publicUrl: 'http://localhost:3000',
    ...parts,
  }
}

/** Seeded SQLite files by random seed, for reuse by all tests of the process. */
const seeded = new Map<number, Promise<string>>()

/**
 * Opens fresh demo businesses on SQLite.
 * @returns function of the random seed; two seeds give two businesses that differ in everything random
 */
export function demoServices(): (
  seed?: number,
  parts?: Partial<Omit<Services, 'clock' | 'security'>>,
) => Promise<DemoServices> {
  const open = closeAfterTests(async (seed: number) => {
    const template = seeded.get(seed) ?? sqliteTemplate((db) => seedDemoInto(db, seed))
    seeded.set(seed, template)
    return copyOf(await template)
  })
  return async (seed = 11, parts = {}) => {
    const db = await open(seed)
    return servicesOn(db, join(placeOf(db).dataDir, 'files'), { random: seededRandom(seed + 1000), ...parts })
  }
}

export const anonymous = (): Callers => ({ address: '198.51.100.7', agent: 'test browser' })

/** Returns a caller signed in with the tenant's account, which gives access to all tenants of the account. */
export async function signedInAs(services: Services, locationCode: string, tenantId: number): Promise<Callers> {
  const { account_id: accountId } = await services.db.read
    .selectFrom('tenants')
    .select('account_id')
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  if (accountId === null) throw new Error(`Tenant ${tenantId} of ${locationCode} has no account`)
  const tenants = await services.db.read
    .selectFrom('tenants')
    .select(['location_code', 'tenant_id'])
    .where('account_id', '=', accountId)
    .execute()
  return {
    ...anonymous(),
    tenant: {
      accountId,
      tenants: tenants.map((tenant) => ({ locationCode: tenant.location_code, tenantId: tenant.tenant_id })),
    },
  }
}

/** Returns a caller with a rental session for a new draft. */
export async function inSession(services: Services, draft: NewDraft): Promise<Callers> {
  return { ...anonymous(), rental: rentalCallerOf(await insertDraft(services.db.write, services, draft)) }
}

/** Returns a caller with a rental session for an existing reservation. */
export async function sessionOf(
  services: Services,
  reservationCode: string,
  more: Partial<NewDraft> = {},
): Promise<Callers> {
  const row = await services.db.read
    .selectFrom('reservations')
    .selectAll()
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirstOrThrow()
  return inSession(services, {
    locationCode: row.location_code,
    unitTypeId: row.unit_type_id,
    tenantId: row.tenant_id,
    reservationCode,
    answers: { moveInDate: row.required_date },
    ...more,
  })
}
