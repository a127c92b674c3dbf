import type { Insertable } from 'kysely'
import { DAY, HOUR } from '../domain/durations.ts'
import { addDays, formatShort } from '../domain/plain-date.ts'
import { taxOn } from '../domain/sales-tax.ts'
import { taxOnFees } from '../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { waiverEntries } from '../modules/ledger/rules/waiver.ts'
import { type Database, isUniqueViolation, type Transaction } from '../platform/database/open.ts'
import type { LedgerEntriesTable, RentChangesTable, Tables } from '../platform/schema/tables.ts'
import { facilities } from './facilities.ts'
import { lateFee } from './facility-records.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { demoStaff, staffEmail } from './staff.ts'

const LOCATION_CODE = 'ATL02'
const TIME_ZONE = 'America/New_York'

type Parts = Pick<SeedParts, 'clock' | 'random'>
interface LeaseWithStaff {
  lease_number: number
  tenant_id: number
  unit_number: string
  rent: number
  staff: Record<'agent' | 'manager' | 'district', string>
}

/** Adds recent office operations once: proposed rent changes, a refused one, and a waived late fee. */
export async function seedOfficeOperations(db: Database, parts: Parts): Promise<void> {
  const existing = await db.read.selectFrom('rent_changes').select('change_id').limit(1).executeTakeFirst()
  if (existing) return
  try {
    await db.transaction((tx) => seedInto(tx, parts))
  } catch (error) {
    // Another process that started at the same time has added the same records.
    if (!isUniqueViolation(error)) throw error
  }
}

async function seedInto(tx: Transaction<Tables>, parts: Parts): Promise<void> {
  const staffRows = await tx.selectFrom('staff').select(['staff_id', 'email']).execute()
  const idOf = (role: keyof LeaseWithStaff['staff']) => {
    const member = demoStaff.find((person) => person.role === role)
    return staffRows.find(({ email }) => member !== undefined && email === staffEmail(member))?.staff_id ?? ''
  }
  const staff = { agent: idOf('agent'), manager: idOf('manager'), district: idOf('district') }
  const leases = await tx
    .selectFrom('leases')
    .select(['lease_number', 'tenant_id', 'unit_number', 'rent'])
    .where('location_code', '=', LOCATION_CODE)
    .where('status', '=', 'Current')
    .where('scheduled_move_out', 'is', null)
    // The demo proposes no rent change within 120 days of the move-in.
    .where('move_in_date', '<', addDays(todayIn(TIME_ZONE, parts.clock.now()), -120))
    .orderBy('lease_number', 'desc')
    .limit(5)
    .execute()
  const [waived, ...raised] = leases.map((lease) => ({ ...lease, staff }))
  if (waived) await seedWaiver(tx, parts, waived)
  if (raised.length > 0) await seedRentChanges(tx, parts, raised)
}

/**
 * Adds demo rent changes: proposals that wait for a second staff member, and one proposal that was refused two weeks
 * ago.
 */
async function seedRentChanges(
  tx: Transaction<Tables>,
  { clock, random }: Parts,
  leases: LeaseWithStaff[],
): Promise<void> {
  const now = clock.now()
  const batches = { proposed: `demo-${random.hex(6)}`, refused: `demo-${random.hex(6)}` }
  await tx
    .insertInto('rent_changes')
    .values(
      leases.map(({ lease_number, tenant_id, rent, staff }, index): Insertable<RentChangesTable> => {
        const state = index === 0 ? 'refused' : 'proposed'
        return {
          change_id: random.uuid(),
          batch_id: batches[state],
          location_code: LOCATION_CODE,
          lease_number,
          tenant_id,
          old_rent: rent,
          new_rent: Math.floor((rent * 1.06) / 100) * 100,
          wanted_from: null,
          state,
          reason: state === 'refused' ? 'Below the street rate' : 'A year at the same rent',
          proposed_by: staff.manager,
          proposed_at: now - (state === 'refused' ? 15 * DAY : 5 * HOUR),
          ...(state === 'refused'
            ? { decided_by: staff.district, decided_at: now - 14 * DAY, decided_because: 'Repairs first' }
            : { decided_by: null, decided_at: null, decided_because: '' }),
          notice_on: null,
          not_before: null,
          applied_from: null,
          ended_at: state === 'refused' ? now - 14 * DAY : null,
        }
      }),
    )
    .execute()
}

/** Adds to a demo lease a late fee charged six days ago, which an agent waived the next day. */
async function seedWaiver(tx: Transaction<Tables>, { clock, random }: Parts, lease: LeaseWithStaff): Promise<void> {
  const now = clock.now()
  const today = todayIn(TIME_ZONE, now)
  const charged = addDays(today, -6)
  const day = addDays(today, -5)
  const [, , feeTaxRate = 0] = facilities.find(({ code }) => code === LOCATION_CODE)?.taxes ?? []
  const lateEntry = (kind: 'fee' | 'tax', cents: number, description: string) => ({
    id: random.uuid(),
    kind,
    cents,
    description,
    once: `late:${addDays(charged, -10)}:${kind}`,
    periodStart: null,
    periodEnd: null,
    postedOn: charged,
  })
  const fee = lateEntry('fee', lateFee, 'Late fee')
  const tax = lateEntry('tax', taxOn(lateFee, feeTaxRate), taxOnFees)
  const row = (entry: Pick<LedgerEntriesTable, 'entry_id' | 'kind' | 'cents' | 'description' | 'once'>) => ({
    location_code: LOCATION_CODE,
    lease_number: lease.lease_number,
    order_id: null,
    billing_run: null,
    ...entry,
  })
  const waiver = waiverEntries(fee, tax).map((entry) => ({ ...entry, entry_id: random.uuid() }))
  await tx
    .insertInto('ledger_entries')
    .values([
      ...[fee, tax].map(({ id, kind, cents, description, once }) => ({
        ...row({ entry_id: id, kind, cents, description, once }),
        period_start: null,
        period_end: null,
        posted_on: charged,
        created_at: now - 6 * DAY,
      })),
      ...waiver.map(({ entry_id, kind, cents, description, once, period }) => ({
        ...row({ entry_id, kind, cents, description, once }),
        period_start: period?.start ?? null,
        period_end: null,
        posted_on: day,
        created_at: now - 5 * DAY,
      })),
    ])
    .execute()
  const reasonColumns = {
    act: 'waive',
    reason: 'first-time',
    note: 'paid the same evening',
    staff_id: lease.staff.agent,
  } as const
  await tx
    .insertInto('entry_reasons')
    .values(waiver.map(({ entry_id, corrects }) => ({ entry_id, ...reasonColumns, corrects: corrects ?? null })))
    .execute()
  await tx
    .insertInto('audit_events')
    .values({
      event_id: random.uuid(),
      at: now - 5 * DAY,
      kind: 'charge.waived',
      sign_in: '',
      address: '',
      request_id: '',
      details: JSON.stringify({ what: `Late fee of ${formatShort(charged)}`, unit: lease.unit_number }),
      staff_id: lease.staff.agent,
      actor: demoStaff.find(({ role }) => role === 'agent')?.name ?? '',
      permission: 'fee.waive',
      location_code: LOCATION_CODE,
      tenant_id: lease.tenant_id,
      lease_number: lease.lease_number,
      subject: fee.id,
      outcome: 'done',
      cents: lateFee,
      reason: 'First time late: paid the same evening',
      changes: '{}',
    })
    .execute()
}
