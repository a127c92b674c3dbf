/** Cards of all tables, and the list of the tables that hold rows of a tenant. */
import { tablesInOrder } from '../../../platform/database/copy-database.ts'
import type { SkippedTableCard, TableCards } from '../../../platform/schema/table-privacy-card.ts'
import { platformCards } from '../../../platform/tables.ts'
import { accountsCards } from '../../accounts/tables.ts'
import { appointmentsCards } from '../../appointments/tables.ts'
import { billingCards } from '../../billing/tables.ts'
import { cashDrawersCards } from '../../cash-drawers/tables.ts'
import { collectionsCards } from '../../collections/tables.ts'
import { facilitiesCards } from '../../facilities/tables.ts'
import { gateCards } from '../../gate/tables.ts'
import { insuranceCards } from '../../insurance/tables.ts'
import { leasesCards } from '../../leases/tables.ts'
import { ledgerCards } from '../../ledger/tables.ts'
import { liensCards } from '../../liens/tables.ts'
import { linksCards } from '../../links/tables.ts'
import { messagesCards } from '../../messages/tables.ts'
import { moveOutsCards } from '../../move-outs/tables.ts'
import { paymentsCards } from '../../payments/tables.ts'
import { pricingCards } from '../../pricing/tables.ts'
import { refundsCards } from '../../refunds/tables.ts'
import { rentChangesCards } from '../../rent-changes/tables.ts'
import { reportsCards } from '../../reports/tables.ts'
import { reservationsCards } from '../../reservations/tables.ts'
import { staffCards } from '../../staff/tables.ts'
import { standingCards } from '../../standing/tables.ts'
import { tenantsCards } from '../../tenants/tables.ts'
import { transfersCards } from '../../transfers/tables.ts'
import { rowFilters } from '../internal/row-filters.ts'
import { privacyCards } from '../tables.ts'
import type { AnyCard, HeldTable } from './held-table.ts'

/** Cards that describe database tables, by the module that owns the tables and is the only one to write them. */
export const cardsBySubject: Readonly<Record<string, TableCards>> = {
  platform: platformCards,
  facilities: facilitiesCards,
  staff: staffCards,
  pricing: pricingCards,
  tenants: tenantsCards,
  reservations: reservationsCards,
  leases: leasesCards,
  ledger: ledgerCards,
  gate: gateCards,
  links: linksCards,
  'rent-changes': rentChangesCards,
  transfers: transfersCards,
  liens: liensCards,
  standing: standingCards,
  insurance: insuranceCards,
  'move-outs': moveOutsCards,
  collections: collectionsCards,
  billing: billingCards,
  accounts: accountsCards,
  payments: paymentsCards,
  refunds: refundsCards,
  'cash-drawers': cashDrawersCards,
  appointments: appointmentsCards,
  messages: messagesCards,
  privacy: privacyCards,
  reports: reportsCards,
}

/**
 * Cards that describe the database tables and what the export and the erasure of a tenant's data do with their columns,
 * by table name.
 */
export const cards: ReadonlyMap<string, AnyCard> = new Map<string, AnyCard>(
  Object.values(cardsBySubject).flatMap((subjectCards) => Object.entries(subjectCards)),
)

/** Tables with rows of a tenant in the order of deletion, each before the tables that it refers to. */
export const heldTables: readonly HeldTable[] = tablesInOrder.toReversed().flatMap((table) => {
  const card = cards.get(table)
  return card && 'file' in card ? [{ ...card, table, rows: rowFilters[card.rows] }] : []
})

/** Tables that the export and the erasure skip. */
export const skippedTables: Readonly<Record<string, SkippedTableCard>> = Object.fromEntries(
  tablesInOrder.flatMap((table) => {
    const card = cards.get(table)
    return card && !('file' in card) ? [[table, card]] : []
  }),
)
