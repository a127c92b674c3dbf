import { columns as firstTables } from './001-first-tables.ts'
import { addedTables, addedColumns as portalColumns } from './002-accounts-money-portal.ts'
import { keptColumns } from './004-kept-balances.ts'
import { closedColumns } from './005-closed-orders.ts'
import { agreedColumns } from './007-agreed-discounts.ts'
import { decidedColumns } from './009-decided-proofs.ts'
import { resumedTables } from './010-resumed-rentals.ts'
import { undoTables } from './011-account-undos.ts'
import { passkeyColumns, passkeyTables } from './012-passkeys.ts'
import { openedColumns } from './013-guests-orders.ts'
import { acknowledgementTables, droppedColumns } from './014-acknowledged-rules.ts'
import { refusedColumns } from './015-refused-tries.ts'
import { staffTables } from './016-staff.ts'
import { authorColumns, flagTables } from './017-tenant-files.ts'
import { reasonTables } from './018-entry-reasons.ts'
import { counterTables } from './019-money-by-hand.ts'
import { refundedColumns, refundTables } from './020-refunds.ts'
import { unitTables } from './021-units-by-hand.ts'
import { comingRentColumns, rentChangeTables } from './022-rent-changes.ts'
import { lienColumns, lienTables } from './023-past-due.ts'
import { dailyTables } from './024-daily-figures.ts'
import { guardColumns } from './025-billing-guards.ts'
import { installationTables } from './026-installations.ts'
import { erasedColumns, privacyTables } from './027-privacy.ts'
import { photographTables, retiredUnitColumns } from './028-photographs.ts'
import { transferTables } from './029-transfers.ts'
import { sharedFilesColumns } from './030-shared-files.ts'
import { requestColumns } from './037-request-ids.ts'
import { choreTables, roleColumns } from './038-chores.ts'
import { circuitTables, jobAgeColumns } from './039-mail-outages.ts'
import { readerTables } from './041-readers.ts'
import { waitlistTables } from './042-waitlist.ts'
import { textChoiceTables } from './044-text-choices.ts'
import { restoreMarkTables } from './049-restore-marks.ts'
import { shareTables } from './052-payment-shares.ts'
import { lookColumns } from './055-facility-looks.ts'
import { priorityColumns } from './057-job-priorities.ts'
import { enteredColumns } from './069-entered-tenants.ts'
import { keptFormTables } from './075-kept-forms.ts'
import { firstNameColumns } from './077-first-names.ts'
import { staffUnlockTables } from './079-staff-unlocks.ts'
import { unprovenColumns } from './080-unproven-holds.ts'
import { tenantKeyTables } from './082-tenant-keys.ts'
import { enteredCardColumns } from './084-entered-cards.ts'
import { auditSealTables } from './086-audit-seals.ts'
import { auditResealTables } from './087-audit-reseals.ts'

/** Tables with the columns that they were created with. */
export const createdTables = {
  ...firstTables,
  ...addedTables,
  ...resumedTables,
  ...undoTables,
  ...passkeyTables,
  ...acknowledgementTables,
  ...staffTables,
  ...flagTables,
  ...reasonTables,
  ...counterTables,
  ...refundTables,
  ...unitTables,
  ...installationTables,
  ...lienTables,
  ...privacyTables,
  ...photographTables,
  ...rentChangeTables,
  ...dailyTables,
  ...transferTables,
  ...waitlistTables,
  ...choreTables,
  ...circuitTables,
  ...readerTables,
  ...textChoiceTables,
  ...restoreMarkTables,
  ...shareTables,
  ...keptFormTables,
  ...staffUnlockTables,
  ...tenantKeyTables,
  ...auditSealTables,
  ...auditResealTables,
} as const

/** What each migration that adds columns adds, by table; a new one that does belongs here too. */
export const addedColumns = [
  portalColumns,
  keptColumns,
  closedColumns,
  agreedColumns,
  decidedColumns,
  passkeyColumns,
  openedColumns,
  refusedColumns,
  refundedColumns,
  authorColumns,
  comingRentColumns,
  guardColumns,
  lienColumns,
  erasedColumns,
  sharedFilesColumns,
  retiredUnitColumns,
  requestColumns,
  roleColumns,
  jobAgeColumns,
  lookColumns,
  priorityColumns,
  enteredColumns,
  unprovenColumns,
  firstNameColumns,
  enteredCardColumns,
] as const

export { droppedColumns }
