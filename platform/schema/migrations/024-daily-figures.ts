import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const dailyTables = {
  daily_figures: {
    location_code: 'text',
    day: 'text',
    kept: 'flag',
    taken_at: 'whole',
    units: 'whole',
    units_rented: 'whole',
    units_held: 'whole',
    units_off: 'whole',
    area: 'whole',
    area_rented: 'whole',
    area_held: 'whole',
    area_off: 'whole',
    rent: 'whole',
    street: 'whole',
    leases: 'whole',
    leases_autopay: 'whole',
    leases_refused: 'whole',
    leases_insured: 'whole',
    leases_own_policy: 'whole',
    leases_owing: 'whole',
    leases_overlocked: 'whole',
    leases_auction: 'whole',
    owed_30: 'whole',
    owed_60: 'whole',
    owed_90: 'whole',
    owed_91: 'whole',
    credits: 'whole',
    closed_owed: 'whole',
    closed_credits: 'whole',
    balances: 'whole',
    unearned: 'whole',
    rent_charged: 'whole',
    discounts_given: 'whole',
    insurance_charged: 'whole',
    fees_charged: 'whole',
    tax_charged: 'whole',
    payments: 'whole',
    refunds: 'whole',
    reversals: 'whole',
    credits_given: 'whole',
    concessions: 'whole',
    bad_debt: 'whole',
    rent_collected: 'whole',
    rent_rate: 'whole',
    insurance_rate: 'whole',
    fee_rate: 'whole',
    rent_tax: 'whole',
    insurance_tax: 'whole',
    fee_tax: 'whole',
    credit_tax: 'whole',
    rent_base: 'whole',
    insurance_base: 'whole',
    fee_base: 'whole',
    exempt: 'whole',
    received_card: 'whole',
    received_bank: 'whole',
    received_cash: 'whole',
    received_check: 'whole',
    received_money_order: 'whole',
    received_other: 'whole',
    money_returned: 'whole',
    money_refunded: 'whole',
    cards: 'text',
    move_ins: 'whole',
    move_outs: 'whole',
  },
  daily_rolls: {
    location_code: 'text',
    day: 'text',
    whole: 'flag',
    roll: 'text',
  },
  daily_exceptions: {
    location_code: 'text',
    day: 'text',
    staff_id: 'text',
    kind: 'text',
    acts: 'whole',
    cents: 'whole',
  },
} as const

/**
 * What each facility's day came to, written once when it is over: figures, rent roll, and what staff did by exception. The index of
 * the ledger finds a facility's day; those of leases its moves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const within = ['location_code → locations']
  await createTable(db, 'daily_figures', dailyTables.daily_figures, { primary: 'location_code, day', within })
  await index(db, 'daily_figures', 'day')
  await createTable(db, 'daily_rolls', dailyTables.daily_rolls, { primary: 'location_code, day', within })
  await createTable(db, 'daily_exceptions', dailyTables.daily_exceptions, {
    primary: 'location_code, day, staff_id, kind',
    within,
  })
  await index(db, 'daily_exceptions', 'day')
  await index(db, 'ledger_entries', 'location_code, posted_on')
  await index(db, 'refunds', 'location_code, done_at', { where: 'done_at is not null' })
  await index(db, 'audit_events', 'location_code, at', { where: 'location_code is not null' })
}
