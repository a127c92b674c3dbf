import { DAY, HOUR } from '../domain/durations.ts'
import { addDays } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { selectLeasesWithTenants } from '../modules/leases/select-leases-with-tenants.ts'
import { approvalContext } from '../modules/staff/approvals.ts'
import { type Database, isUniqueViolation, type Transaction } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { oneLinePdf } from './one-line-pdf.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { demoStaff, staffEmail } from './staff.ts'

const TIME_ZONE = 'America/New_York'

interface LeaseWithTenant {
  location_code: string
  lease_number: number
  tenant_id: number
  unit_number: string
  balance: number
  first: string
  last: string
  email: string
}

/**
 * Loads the current leases of ATL01 with the highest lease numbers.
 * @param options `charged`: only leases with a period's rent on the ledger; `limit`: maximum number of leases
 */
const loadCurrentLeases = (
  tx: Transaction<Tables>,
  { charged, limit }: { charged: boolean; limit: number },
): Promise<LeaseWithTenant[]> =>
  selectLeasesWithTenants(tx)
    .select(['leases.location_code', 'lease_number', 'leases.tenant_id', 'unit_number', 'balance'])
    .select(['first', 'last', 'tenants.email'])
    .where('leases.location_code', '=', 'ATL01')
    .where('leases.status', '=', 'Current')
    .$if(charged, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('ledger_entries')
            .select('entry_id')
            .whereRef('ledger_entries.location_code', '=', 'leases.location_code')
            .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number')
            .where('kind', '=', 'rent')
            .where('period_start', 'is not', null),
        ),
      ),
    )
    .orderBy('lease_number', 'desc')
    .limit(limit)
    .execute()

const loadStaffId = async (
  tx: Transaction<Tables>,
  role: (typeof demoStaff)[number]['role'],
): Promise<string | null> => {
  const member = demoStaff.find((person) => person.role === role)
  const row = await tx
    .selectFrom('staff')
    .select('staff_id')
    .where('email', '=', member ? staffEmail(member) : '')
    .executeTakeFirst()
  return row?.staff_id ?? null
}

/** Adds queue items and waitlist entries once. Several processes may run this at the same time. */
export async function seedWaitingWork(db: Database, parts: SeedParts): Promise<void> {
  const { sealer } = parts
  if (!sealer) return
  const existing = await db.read
    .selectFrom('tasks')
    .select('task_id')
    .where('kind', '=', 'follow-up')
    .where('once', '=', 'demo 0')
    .executeTakeFirst()
  if (existing) return
  await parts.putFile?.(PROOF_FILE, proofOfInsurance, 'application/pdf')
  try {
    await db.transaction((tx) => seedInto(tx, { ...parts, sealer }))
  } catch (error) {
    // Another process that started at the same time has added the same items.
    if (!isUniqueViolation(error)) throw error
  }
}

async function seedInto(
  tx: Transaction<Tables>,
  parts: SeedParts & Required<Pick<SeedParts, 'sealer'>>,
): Promise<void> {
  const agent = await loadStaffId(tx, 'agent')
  const manager = await loadStaffId(tx, 'manager')
  const [first, second, third, fourth] = await loadCurrentLeases(tx, { charged: false, limit: 4 })
  if (!agent || !manager || !first || !second || !third || !fourth) return
  const now = parts.clock.now()
  const today = todayIn(TIME_ZONE, now)
  await tx
    .insertInto('tasks')
    .values(
      [
        {
          lease: second,
          note: `Call ${second.first} ${second.last} back about the door of ${second.unit_number}`,
          days: 0,
          to: null,
        },
        { lease: third, note: `${third.first} ${third.last} promised to send a new card`, days: 0, to: agent },
        { lease: fourth, note: `Look at the light in the aisle of ${fourth.unit_number}`, days: 1, to: manager },
      ].map(({ lease, note, days, to }, index) => ({
        task_id: parts.random.uuid(),
        kind: 'follow-up',
        once: `demo ${index}`,
        note,
        assigned_to: to,
        location_code: lease.location_code,
        tenant_id: lease.tenant_id,
        lease_number: lease.lease_number,
        subject: null,
        cents: null,
        due_on: addDays(today, days),
        created_by: agent,
        created_at: now - 3 * HOUR,
        state: 'open' as const,
        ended_by: null,
        ended_at: null,
      })),
    )
    .execute()
  await seedRequests(tx, parts, { agent, leases: await loadCurrentLeases(tx, { charged: true, limit: 2 }) })
  await tx
    .insertInto('insurance_proofs')
    .values({
      proof_id: parts.random.uuid(),
      location_code: first.location_code,
      tenant_id: first.tenant_id,
      unit_numbers: JSON.stringify([first.unit_number]),
      tenant_name: `${first.first} ${first.last}`,
      tenant_email: first.email,
      policy_number: 'HO-4417-2208',
      insurance_carrier: 'Peachtree Mutual',
      expiration_date: addDays(today, 300),
      file_key: PROOF_FILE,
      file_name: 'proof-of-insurance.pdf',
      content_type: 'application/pdf',
      bytes: proofOfInsurance.length,
      created_at: now - 70 * HOUR,
      decision: null,
      decided_at: null,
      decided_because: null,
    })
    .execute()
  await tx
    .insertInto('jobs')
    .values({
      job_id: parts.random.hex(16),
      kind: 'gate_code',
      once: 'demo',
      state: 'dead',
      run_at: now - 30 * HOUR,
      payload: JSON.stringify({ locationCode: fourth.location_code, tenantId: fourth.tenant_id }),
      attempts: 10,
      last_error: 'Error: 550 5.1.1 The mailbox is full',
      created_at: now - 30 * HOUR,
      done_at: now - 25 * HOUR,
    })
    .execute()
  await seedWaitlist(tx, parts)
}

/** Adds waitlist entries for sold-out unit types. */
async function seedWaitlist(tx: Transaction<Tables>, { clock, random }: SeedParts): Promise<void> {
  const soldOut = await tx
    .selectFrom('units')
    .select(['location_code', 'unit_type_id'])
    .where('location_code', 'in', ['ATL01', 'ATL02', 'BNA01'])
    .groupBy(['location_code', 'unit_type_id'])
    .having((eb) => eb(eb.fn.countAll(), '=', eb.fn.sum(eb.case().when('status', '=', 'rented').then(1).else(0).end())))
    .orderBy('location_code')
    .execute()
  const emails = ['joyce.abara@example.com', 'luis.ferrer@example.com', 'petra.holm@example.com']
  const waits = soldOut.flatMap((type, index) =>
    emails.slice(index % 2).map((email, next) => ({ ...type, email, next })),
  )
  if (waits.length === 0) return
  await tx
    .insertInto('waitlist')
    .values(
      waits.map(({ next, ...entry }) => ({
        ...entry,
        waitlist_id: random.uuid(),
        created_at: clock.now() - (9 - 2 * next) * DAY,
        told_at: null,
        told_unit: null,
        mailed_at: null,
      })),
    )
    .execute()
}

/** Adds an agent's requests for credits, which other staff members decide. */
async function seedRequests(
  tx: Transaction<Tables>,
  { random, sealer, clock }: Required<Pick<SeedParts, 'sealer'>> & SeedParts,
  { agent, leases }: { agent: string; leases: LeaseWithTenant[] },
): Promise<void> {
  const credits = [
    {
      cents: 25_00,
      reason: 'service-problem',
      reasonText: 'Problem with the unit or site',
      note: 'the door stuck for three days',
    },
    {
      cents: 40_00,
      reason: 'price-promised',
      reasonText: 'Price that was promised',
      note: 'the rate on the phone was lower',
    },
  ]
  for (const [index, { cents, reason, reasonText, note }] of credits.entries()) {
    const lease = leases[index]
    if (!lease) break
    const entries = tx
      .selectFrom('ledger_entries')
      .where('location_code', '=', lease.location_code)
      .where('lease_number', '=', lease.lease_number)
    const newest = await entries
      .select('entry_id')
      .orderBy('posted_on', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('entry_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const rent = await entries
      .select('period_start')
      .where('kind', '=', 'rent')
      .where('cents', '>', cents)
      .orderBy('period_start', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!newest || !rent?.period_start) continue
    const approval_id = random.uuid()
    const input = {
      location_code: lease.location_code,
      tenant_id: lease.tenant_id,
      lease_number: lease.lease_number,
      balance: lease.balance,
      newest_entry: newest.entry_id,
      act_id: random.uuid(),
      reason,
      note,
      preview: false,
      cents,
      period_start: rent.period_start,
    }
    await tx
      .insertInto('approvals')
      .values({
        approval_id,
        operation: 'CreditLease',
        permission: 'lease.credit',
        input_sealed: sealer.seal(JSON.stringify(input), approvalContext(approval_id)),
        summary: `Credit $${cents / 100}.00, ${lease.unit_number}`,
        location_code: lease.location_code,
        tenant_id: lease.tenant_id,
        lease_number: lease.lease_number,
        cents,
        reason: `${reasonText}: ${note}`,
        asked_by: agent,
        asked_at: clock.now() - (2 + index) * HOUR,
        state: 'open' as const,
        decided_by: null,
        decided_at: null,
        decided_because: '',
      })
      .execute()
  }
}

const PROOF_FILE = 'proofs/demo.pdf'

const proofOfInsurance = oneLinePdf('Peachtree Mutual, policy HO-4417-2208')
