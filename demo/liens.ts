import { DAY, MINUTE } from '../domain/durations.ts'
import { format } from '../domain/money.ts'
import { addDays } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import type { CallOutcome } from '../modules/collections/rules/past-due-calls-and-promises.ts'
import { selectLeasesWithTenants } from '../modules/leases/select-leases-with-tenants.ts'
import { noProof, sealProof } from '../modules/liens/lien-proof-files.ts'
import { hashRules, shippedRules } from '../modules/liens/lien-rules-by-state.ts'
import { openCaseColumns } from '../modules/liens/load-lien-cases.ts'
import { firstDayOfDefault, type LienStep, type StepDetails } from '../modules/liens/rules/next-lien-step.ts'
import { type Database, isUniqueViolation, type Transaction } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { oneLinePdf } from './one-line-pdf.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { demoStaff, staffEmail } from './staff.ts'
import { people } from './tenants-with-leases-and-reservations.ts'

const TIME_ZONE = 'America/New_York'
const rules = shippedRules[0]

const owingLeases = (tx: Transaction<Tables>) =>
  selectLeasesWithTenants(tx)
    .select(['leases.location_code', 'lease_number', 'leases.tenant_id', 'unit_number', 'balance', 'paid_through'])
    .where('leases.status', 'in', ['Past Due', 'Auction'])
    .orderBy('paid_through')
    .orderBy('lease_number')

/** Loads the past-due and auction leases of ATL01 whose tenants are not listed in `tenants-with-leases-and-reservations.ts`. */
const loadOrdinaryPastDue = (tx: Transaction<Tables>): Promise<OwingLease[]> =>
  owingLeases(tx)
    .where('leases.location_code', '=', 'ATL01')
    .where(
      'tenants.email',
      'not in',
      people.map(({ email }) => email),
    )
    .execute()

/** E-mail addresses of the two tenants at ATL02 who get a lien case; both are long past due. */
const debtors = ['vera.lockett@example.com', 'dolores.quill@example.com']

const loadLongPastDue = (tx: Transaction<Tables>): Promise<OwingLease[]> =>
  owingLeases(tx)
    .where('leases.location_code', 'in', ['ATL01', 'ATL02'])
    .where('tenants.email', 'in', debtors)
    .execute()

interface OwingLease {
  location_code: string
  lease_number: number
  tenant_id: number
  unit_number: string
  balance: number
  paid_through: string
}

/**
 * Adds calls, promises and lien cases once, and the sign-off of Georgia's rules, which a real operator signs off
 * itself.
 */
export async function seedLiens(db: Database, parts: SeedParts): Promise<void> {
  const existing = await db.read.selectFrom('call_attempts').select('call_id').limit(1).executeTakeFirst()
  if (existing || !rules) return
  try {
    await db.transaction((tx) => seedInto(tx, parts))
  } catch (error) {
    // Another process that started at the same time has added the same records.
    if (!isUniqueViolation(error)) throw error
  }
}

async function seedInto(tx: Transaction<Tables>, parts: SeedParts): Promise<void> {
  const staff = await tx
    .selectFrom('staff')
    .select(['staff_id', 'name', 'email'])
    .where('email', 'in', demoStaff.map(staffEmail))
    .execute()
  const idOf = (role: (typeof demoStaff)[number]['role']) =>
    staff.find((member) => member.email === staffEmail({ role }))?.staff_id ?? ''
  const owner = staff.find((member) => member.email === staffEmail({ role: 'owner' }))
  if (!owner || !rules) return
  const now = parts.clock.now()
  const signOff = { digest: hashRules(rules), by: `${owner.name}, for this demo alone`, at: now - 40 * DAY }
  await tx
    .insertInto('settings')
    .values({ name: `lien_sign_off:${rules.version}`, value: JSON.stringify(signOff), updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const by = { agent: idOf('agent'), manager: idOf('manager') }
  await seedCases(tx, parts, by.manager, await loadLongPastDue(tx))
  await seedCalls(tx, parts, by.agent, await loadOrdinaryPastDue(tx))
}

/**
 * The demo's collection calls, of today or `madeAgo` days ago; `promise`: the promised payment day, in days from today.
 */
const calls: readonly { outcome: CallOutcome; note: string; promise?: number; madeAgo?: number }[] = [
  { outcome: 'reached', note: 'gets paid on the 1st', promise: 4 },
  { outcome: 'no answer', note: '' },
  { outcome: 'reached', note: 'said by Friday', promise: -2, madeAgo: 5 },
  { outcome: 'left message', note: '' },
  { outcome: 'reached', note: 'new card is on its way', promise: 6, madeAgo: 1 },
]

async function seedCalls(
  tx: Transaction<Tables>,
  { clock, random }: SeedParts,
  agent: string,
  leases: readonly OwingLease[],
): Promise<void> {
  const now = clock.now()
  for (const [index, { outcome, note, promise, madeAgo = 0 }] of calls.entries()) {
    const lease = leases[index]
    if (!lease) return
    const { location_code, lease_number, tenant_id, balance } = lease
    const calledAt = now - madeAgo * DAY - index * 11 * MINUTE
    const day = todayIn(TIME_ZONE, calledAt)
    const shared = { location_code, lease_number, tenant_id, note, staff_id: agent }
    await tx
      .insertInto('call_attempts')
      .values({ ...shared, call_id: random.uuid(), outcome, called_on: day, called_at: calledAt })
      .execute()
    if (promise === undefined) continue
    await tx
      .insertInto('payment_promises')
      .values({
        ...shared,
        promise_id: random.uuid(),
        promised_on: addDays(todayIn(TIME_ZONE, now), promise),
        cents: balance,
        made_on: day,
        made_at: calledAt,
        replaced_at: null,
      })
      .execute()
  }
}

interface DoneStep {
  step: LienStep
  ago: number
  way: string
  details: StepDetails
}

const militaryCheck: DoneStep = { step: 'military', ago: 12, way: 'not serving', details: { proof: '' } }
const servedNotice: DoneStep = {
  step: 'notice',
  ago: 10,
  way: 'verified mail',
  details: { proof: '9407 1118 9876 5432 1000 00', answered: false, copies: [] },
}
/** Demo lien cases: the notice of the first has been served, that of the second has not. */
const cases: readonly { openedAgo: number; steps: readonly DoneStep[] }[] = [
  { openedAgo: 13, steps: [militaryCheck, servedNotice] },
  { openedAgo: 12, steps: [militaryCheck] },
]

async function seedCases(
  tx: Transaction<Tables>,
  parts: SeedParts,
  manager: string,
  leases: readonly OwingLease[],
): Promise<void> {
  const now = parts.clock.now()
  const day = (ago: number) => todayIn(TIME_ZONE, now - ago * DAY)
  for (const [index, lease] of leases.entries()) {
    const { openedAgo, steps } = cases[index] ?? { openedAgo: 0, steps: [] }
    const { location_code, lease_number, tenant_id, unit_number, balance, paid_through } = lease
    const case_id = parts.random.uuid()
    const opened = now - openedAgo * DAY
    await tx
      .insertInto('lien_cases')
      .values({
        case_id,
        location_code,
        lease_number,
        tenant_id,
        unit_number,
        state: 'open',
        owed: balance,
        rules_version: rules?.version ?? '',
        default_from: firstDayOfDefault(paid_through),
        opened_on: day(openedAgo),
        opened_at: opened,
        opened_by: manager,
        ...openCaseColumns,
      })
      .execute()
    await tx
      .updateTable('leases')
      .set({ lien_case: case_id })
      .where((eb) => eb.and({ location_code, lease_number }))
      .execute()
    for (const { step, ago, way, details } of steps) {
      const step_id = parts.random.uuid()
      await tx
        .insertInto('lien_steps')
        .values({
          step_id,
          case_id,
          location_code,
          step,
          state: 'counts',
          done_on: day(ago),
          way,
          note: '',
          details: JSON.stringify(details),
          staff_id: manager,
          recorded_at: now - ago * DAY,
          second_staff_id: null,
          decided_at: null,
          ...(await sealDemoProof(parts, step_id, { step, unit: unit_number, owed: balance, location: location_code })),
        })
        .execute()
    }
  }
}

async function sealDemoProof(
  { putFile, sealer, random }: SeedParts,
  stepId: string,
  proven: { step: LienStep; unit: string; owed: number; location: string },
) {
  if (!putFile || !sealer) return noProof
  const parts = { files: { put: putFile }, sealer, random }
  return sealProof(parts, {
    stepId,
    locationCode: proven.location,
    name: `${proven.step}-${proven.unit.toLowerCase()}`,
    bytes: oneLinePdf(`Demo: ${proven.step} for unit ${proven.unit}, ${format(proven.owed)} owed`),
    type: { extension: 'pdf', contentType: 'application/pdf' },
  })
}
