// Row types of the database's tables, derived from their declared columns. Each subject's tables.ts describes its
// columns.
import type { Flag, Narrow } from './columns.ts'
import { firstSchema } from './first-schema/first-schema.ts'
import { machineKeyTables } from './migrations/002-machine-keys.ts'
import { gateTables } from './migrations/003-gates.ts'
import { trustColumns } from './migrations/004-facility-trust.ts'
import { gateAcknowledgementColumns } from './migrations/005-gate-acknowledgement.ts'
import { gateEventColumns } from './migrations/006-gate-events.ts'
import type { Column } from './migrations/create-table.ts'

/**
 * All tables with their columns after all migrations. Later migrations add their columns here, since `first-schema/` is
 * frozen.
 */
export const tables = {
  ...firstSchema,
  ...machineKeyTables,
  ...gateTables,
  gates: {
    ...gateTables.gates,
    columns: {
      ...gateTables.gates.columns,
      ...gateAcknowledgementColumns.gates.columns,
      ...gateEventColumns.gates.columns,
    },
  },
  gate_wanted: {
    ...gateTables.gate_wanted,
    columns: {
      ...gateTables.gate_wanted.columns,
      ...gateAcknowledgementColumns.gate_wanted.columns,
      ...gateEventColumns.gate_wanted.columns,
    },
  },
  locations: {
    ...firstSchema.locations,
    columns: { ...firstSchema.locations.columns, ...trustColumns.locations.columns },
  },
  facility_photos: {
    ...firstSchema.facility_photos,
    columns: { ...firstSchema.facility_photos.columns, ...trustColumns.facility_photos.columns },
  },
  gate_commands: {
    ...gateTables.gate_commands,
    columns: { ...gateTables.gate_commands.columns, ...gateEventColumns.gate_commands.columns },
  },
}

type Value<C> =
  | (C extends 'flag' ? Flag : C extends 'text' | 'text?' ? string : number)
  | (C extends `${Column}?` ? null : never)
type Row<Spec> = { -readonly [C in keyof Spec]: Value<Spec[C]> }
type Rows = { [T in keyof typeof tables]: Narrow<T, Row<(typeof tables)[T]['columns']>> }

export interface Tables extends Rows {}

/** Returns a column's declared type. @throws Error if the table has no such column */
export function columnOf(table: keyof Tables, name: string): Column {
  const columns: Readonly<Record<string, Column>> | undefined = tables[table]?.columns
  const column = columns?.[name]
  if (column === undefined) throw new Error(`${table} has no column ${name}`)
  return column
}

export type AccountUndosTable = Tables['account_undos']
export type AccountsTable = Tables['accounts']
export type AppointmentsTable = Tables['appointments']
export type ApprovalsTable = Tables['approvals']
export type AuctionWinnersTable = Tables['auction_winners']
export type CashBatchesTable = Tables['cash_batches']
export type CounterReceiptsTable = Tables['counter_receipts']
export type CountersTable = Tables['counters']
export type DailyFiguresTable = Tables['daily_figures']
export type DiscountsTable = Tables['discounts']
export type EmailChangesTable = Tables['email_changes']
export type FeesTable = Tables['fees']
export type GateCodesTable = Tables['gate_codes']
export type GateOverridesTable = Tables['gate_overrides']
export type InsuranceProofsTable = Tables['insurance_proofs']
export type InsuranceSchemesTable = Tables['insurance_schemes']
export type JobsTable = Tables['jobs']
export type LeaseDocumentsTable = Tables['lease_documents']
export type LeaseFeesTable = Tables['lease_fees']
export type LeasesTable = Tables['leases']
export type LedgerEntriesTable = Tables['ledger_entries']
export type LienCasesTable = Tables['lien_cases']
export type LienStepsTable = Tables['lien_steps']
export type LocationContentsTable = Tables['location_contents']
export type LocationsTable = Tables['locations']
export type MailboxTable = Tables['mailbox']
export type MapFixturesTable = Tables['map_fixtures']
export type MoveOutsTable = Tables['move_outs']
export type PasskeysTable = Tables['passkeys']
export type PaymentsTable = Tables['payments']
export type ProspectsTable = Tables['prospects']
export type QuotesTable = Tables['quotes']
export type RefundTasksTable = Tables['refund_tasks']
export type RefundsTable = Tables['refunds']
export type PaymentSharesTable = Tables['payment_shares']
export type RentChangesTable = Tables['rent_changes']
export type RentalDraftsTable = Tables['rental_drafts']
export type ReservationsTable = Tables['reservations']
export type SettingsTable = Tables['settings']
export type SettlementsTable = Tables['settlements']
export type StaffFactorsTable = Tables['staff_factors']
export type StatesTable = Tables['states']
export type TasksTable = Tables['tasks']
export type TenantsTable = Tables['tenants']
export type TransfersTable = Tables['transfers']
export type UnitTypesTable = Tables['unit_types']
export type UnitsTable = Tables['units']
