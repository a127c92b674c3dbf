import { HOUR } from '../domain/durations.ts'
import type { TenantFlag } from '../domain/office/tenant-flags.ts'
import { addDays } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { lockName } from '../platform/database/lock-by-name.ts'
import type { Database, Transaction } from '../platform/database/open.ts'
import type { LeasesTable, Tables } from '../platform/schema/tables.ts'
import { facilities } from './facilities.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { demoStaff, staffEmail } from './staff.ts'

type Role = (typeof demoStaff)[number]['role']

interface DemoNote {
  by: Role
  /** Hours before now. */
  ago: number
  note: string
  /** Days from today until the follow-up. */
  followUp?: number
}

/**
 * Demo notes on tenants with a balance due: the first list is for a facility's first such lease, the second for its
 * second, and so on.
 */
const notesWithBalance: DemoNote[][] = [
  [
    { by: 'agent', ago: 26, note: 'Called in: new card comes on Thursday. Pays by link then.', followUp: 1 },
    { by: 'manager', ago: 200, note: 'Second month in a row. Was friendly, asks for reminders by text message.' },
  ],
  [{ by: 'agent', ago: 50, note: 'Voice mail full. Wrote instead.', followUp: 0 }],
  [
    {
      by: 'manager',
      ago: 75,
      note: 'Disputes the late fee: says the portal was down. Looked: it was not.',
      followUp: -1,
    },
    { by: 'agent', ago: 99, note: 'Wants to know why the gate refuses the code. Explained the overlock.' },
  ],
]

/** Notes for leases without a balance due: the first list is for a facility's first such lease, and so on. */
const notesWithoutBalance: DemoNote[][] = [
  [{ by: 'agent', ago: 310, note: 'Asked for a larger unit in spring. Call when a 10×20 is free.', followUp: 14 }],
  [{ by: 'field', ago: 47, note: 'Door squeaks. Oiled the hinges, fine now.' }],
  [
    {
      by: 'agent',
      ago: 122,
      note: 'Moved the billing talk to the sister, Ms. Vance, (404) 555-0188. Written consent is on file.',
    },
  ],
]

/** Flags for tenants of each facility that gets notes; `at` is the index of their lease among those with a balance due. */
const flags: { at: number; flag: TenantFlag; note: string }[] = [
  { at: 0, flag: 'no_checks', note: 'Check 2207 came back in September.' },
  { at: 1, flag: 'no_calls', note: 'Asked for e-mail only, Oct 2.' },
]

/**
 * Adds notes, follow-ups and flags to tenants of each of the first three facilities that rent units, unless a staff
 * member's note exists there.
 */
export async function seedTenantNotes(db: Database, parts: SeedParts): Promise<void> {
  const staff = await db.read.selectFrom('staff').select(['staff_id', 'email']).execute()
  if (staff.length === 0) return
  const staffIdOf = (role: Role) => staff.find((member) => member.email === staffEmail({ role }))?.staff_id ?? ''
  /** Returns the id of the staff member with the role, or of the district manager where the former does not work. */
  const staffIdAt = (role: Role, code: string) => {
    const at = demoStaff.find((member) => member.role === role)?.at
    return staffIdOf(at && !at.includes(code) ? 'district' : role)
  }
  const letting = facilities.filter(({ facilityId }) => facilityId !== OFFICE_FACILITY_ID)
  for (const { code, timeZone } of letting.slice(0, 3)) {
    const leases = await db.read
      .selectFrom('leases')
      .select(['tenant_id', 'lease_number', 'balance'])
      .where('location_code', '=', code)
      .where('status', '!=', 'Closed')
      .orderBy('lease_number')
      .execute()
    const groups = {
      owing: leases.filter(({ balance }) => balance > 0),
      settled: leases.filter(({ balance }) => balance <= 0),
    }
    const notes = [
      ...notesWithBalance.map((leaseNotes, at) => ({ leaseNotes, lease: groups.owing[at] })),
      ...notesWithoutBalance.map((leaseNotes, at) => ({ leaseNotes, lease: groups.settled[at] })),
    ].flatMap(({ leaseNotes, lease }) => (lease ? leaseNotes.map((note) => ({ ...note, ...lease })) : []))
    const setColumns = { set_by: staffIdAt('manager', code), set_at: parts.clock.now() - 300 * HOUR }
    const flagRows = flags.flatMap(({ at, flag, note }) => {
      const tenant_id = groups.owing[at]?.tenant_id
      return tenant_id === undefined ? [] : [{ location_code: code, tenant_id, flag, note, ...setColumns }]
    })
    await db.transaction(async (tx) => {
      // Another process that started at the same time would add the same notes under other ids, so it has to wait.
      await lockName(tx, `demo notes:${code}`)
      const existing = await tx
        .selectFrom('tenant_notes')
        .select('note_id')
        .where('location_code', '=', code)
        .where('staff_id', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      if (existing) return
      for (const note of notes)
        await writeNote(tx, parts, { ...note, by: staffIdAt(note.by, code), timeZone, location_code: code })
      for (const row of flagRows)
        await tx
          .insertInto('tenant_flags')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    })
  }
}

async function writeNote(
  tx: Transaction<Tables>,
  { clock, random }: SeedParts,
  entry: Omit<DemoNote, 'by'> & { by: string; timeZone: string } & Pick<
      LeasesTable,
      'location_code' | 'tenant_id' | 'lease_number'
    >,
): Promise<void> {
  const note_id = random.uuid()
  const about = { location_code: entry.location_code, tenant_id: entry.tenant_id, lease_number: entry.lease_number }
  const created_at = clock.now() - entry.ago * HOUR
  await tx
    .insertInto('tenant_notes')
    .values({ note_id, ...about, note: entry.note, created_at, staff_id: entry.by })
    .execute()
  if (entry.followUp === undefined) return
  const due_on = addDays(todayIn(entry.timeZone, clock.now()), entry.followUp)
  await tx
    .insertInto('tasks')
    .values({
      task_id: random.uuid(),
      kind: 'follow-up',
      once: note_id,
      ...about,
      subject: null,
      cents: null,
      note: entry.note,
      assigned_to: entry.by,
      due_on,
      created_by: entry.by,
      created_at,
      state: 'open',
      ended_by: null,
      ended_at: null,
    })
    .execute()
}
