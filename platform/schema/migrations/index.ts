import type { Tables } from '../tables.ts'
import * as firstTables from './001-first-tables.ts'
import * as accountsMoneyPortal from './002-accounts-money-portal.ts'
import * as paymentsByAgreement from './003-payments-by-agreement.ts'
import * as keptBalances from './004-kept-balances.ts'
import * as closedOrders from './005-closed-orders.ts'
import * as takenBack from './006-taken-back.ts'
import * as agreedDiscounts from './007-agreed-discounts.ts'
import * as finding from './008-finding.ts'
import * as decidedProofs from './009-decided-proofs.ts'
import * as resumedRentals from './010-resumed-rentals.ts'
import * as accountUndos from './011-account-undos.ts'
import * as passkeys from './012-passkeys.ts'
import * as guestsOrders from './013-guests-orders.ts'
import * as acknowledgedRules from './014-acknowledged-rules.ts'
import * as refusedTries from './015-refused-tries.ts'
import * as staff from './016-staff.ts'
import * as tenantFiles from './017-tenant-files.ts'
import * as entryReasons from './018-entry-reasons.ts'
import * as moneyByHand from './019-money-by-hand.ts'
import * as refunds from './020-refunds.ts'
import * as unitsByHand from './021-units-by-hand.ts'
import * as rentChanges from './022-rent-changes.ts'
import * as pastDue from './023-past-due.ts'
import * as dailyFigures from './024-daily-figures.ts'
import * as billingGuards from './025-billing-guards.ts'
import * as installations from './026-installations.ts'
import * as privacy from './027-privacy.ts'
import * as photographs from './028-photographs.ts'
import * as transfers from './029-transfers.ts'
import * as sharedFiles from './030-shared-files.ts'
import * as moving from './031-moving.ts'
import * as heldUnits from './033-held-units.ts'
import * as ledgerOrder from './034-ledger-order.ts'
import * as requestIds from './037-request-ids.ts'
import * as chores from './038-chores.ts'
import * as mailOutages from './039-mail-outages.ts'
import * as readers from './041-readers.ts'
import * as waitlist from './042-waitlist.ts'
import * as textChoices from './044-text-choices.ts'
import * as auditPrivileges from './047-audit-privileges.ts'
import * as restoreMarks from './049-restore-marks.ts'
import * as paymentShares from './052-payment-shares.ts'
import * as facilityLooks from './055-facility-looks.ts'
import * as jobPriorities from './057-job-priorities.ts'
import * as nameKeys from './068-name-keys.ts'
import * as enteredTenants from './069-entered-tenants.ts'
import * as keptForms from './075-kept-forms.ts'
import * as firstNames from './077-first-names.ts'
import * as staffUnlocks from './079-staff-unlocks.ts'
import * as unprovenHolds from './080-unproven-holds.ts'
import * as tenantKeys from './082-tenant-keys.ts'
import * as auditTerm from './083-audit-term.ts'
import * as enteredCards from './084-entered-cards.ts'
import * as auditSeals from './086-audit-seals.ts'
import * as auditReseals from './087-audit-reseals.ts'
import { addedColumns, createdTables } from './specs.ts'
import type { Column, TableChange } from './table.ts'

/** Applied in the order of their names, once each; a migration that has been released never changes. */
export const migrations: Record<string, TableChange> = {
  '001-first-tables': firstTables,
  '002-accounts-money-portal': accountsMoneyPortal,
  '003-payments-by-agreement': paymentsByAgreement,
  '004-kept-balances': keptBalances,
  '005-closed-orders': closedOrders,
  '006-taken-back': takenBack,
  '007-agreed-discounts': agreedDiscounts,
  '008-finding': finding,
  '009-decided-proofs': decidedProofs,
  '010-resumed-rentals': resumedRentals,
  '011-account-undos': accountUndos,
  '012-passkeys': passkeys,
  '013-guests-orders': guestsOrders,
  '014-acknowledged-rules': acknowledgedRules,
  '015-refused-tries': refusedTries,
  '016-staff': staff,
  '017-tenant-files': tenantFiles,
  '018-entry-reasons': entryReasons,
  '019-money-by-hand': moneyByHand,
  '020-refunds': refunds,
  '021-units-by-hand': unitsByHand,
  '022-rent-changes': rentChanges,
  '023-past-due': pastDue,
  '024-daily-figures': dailyFigures,
  '025-billing-guards': billingGuards,
  '026-installations': installations,
  '027-privacy': privacy,
  '028-photographs': photographs,
  '029-transfers': transfers,
  '030-shared-files': sharedFiles,
  '031-moving': moving,
  '033-held-units': heldUnits,
  '034-ledger-order': ledgerOrder,
  '037-request-ids': requestIds,
  '038-chores': chores,
  '039-mail-outages': mailOutages,
  '041-readers': readers,
  '042-waitlist': waitlist,
  '044-text-choices': textChoices,
  '047-audit-privileges': auditPrivileges,
  '049-restore-marks': restoreMarks,
  '052-payment-shares': paymentShares,
  '055-facility-looks': facilityLooks,
  '057-job-priorities': jobPriorities,
  '068-name-keys': nameKeys,
  '069-entered-tenants': enteredTenants,
  '075-kept-forms': keptForms,
  '077-first-names': firstNames,
  '079-staff-unlocks': staffUnlocks,
  '080-unproven-holds': unprovenHolds,
  '082-tenant-keys': tenantKeys,
  '083-audit-term': auditTerm,
  '084-entered-cards': enteredCards,
  '086-audit-seals': auditSeals,
  '087-audit-reseals': auditReseals,
}

/** What a column of the business holds. @throws Error where the table has no such column */
export function columnOf(table: keyof Tables, name: string): Column {
  const specs: readonly Record<string, Record<string, Column>>[] = [createdTables, ...addedColumns]
  const column = specs.map((one) => one[table]?.[name]).find((one) => one !== undefined)
  if (column === undefined) throw new Error(`${table} has no column ${name}`)
  return column
}
