// The database's tables with their columns and row types, derived from what its migrations declare. Each module's
// tables.ts describes its columns.

import type { Column, TableChange, TableDeclaration } from './migrations/create-table.ts'
import { migrations } from './migrations/index.ts'
import type { Flag, Narrow } from './narrowed-column-types.ts'

/** Union of the migrations' `tables`; each member holds all tables that one migration declares. */
type Declared = Extract<(typeof migrations)[keyof typeof migrations], { tables: unknown }>['tables']
type KeysOf<D> = D extends unknown ? keyof D : never
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never
/** Columns of a table after all migrations. */
type ColumnsOf<T extends PropertyKey> = Intersection<
  Declared extends infer D ? (D extends { [K in T]: { columns: infer C } } ? C : never) : never
>
type DeclaredTables = { [T in KeysOf<Declared>]: Omit<TableDeclaration, 'columns'> & { columns: ColumnsOf<T> } }

/**
 * Joins the tables of all migrations: a later migration's columns follow those of the earlier ones. A migration that
 * only drops something declares none.
 */
function joinTables(): DeclaredTables {
  const joined: Record<string, TableDeclaration> = {}
  for (const { tables: declared = {} } of Object.values<TableChange>(migrations))
    for (const [name, table] of Object.entries(declared))
      joined[name] = joined[name] ? { ...joined[name], columns: { ...joined[name].columns, ...table.columns } } : table
  return joined as DeclaredTables
}

/** All tables with their columns after all migrations. */
export const tables = joinTables()

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
