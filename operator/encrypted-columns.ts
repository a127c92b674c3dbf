/**
 * All columns with encrypted text: those on the tables' cards, and the payloads of jobs. The data of a column that is
 * missing here would be lost when a key is retired.
 */
import { tokenContext } from '../modules/appointments/appointment-links.ts'
import { cards } from '../modules/privacy/data-inventory/index.ts'
import { invitationContext } from '../modules/staff/send-invitation.ts'
import { tablesInOrder } from '../platform/database/copy-all-rows.ts'
import type { SealedColumn } from '../platform/encryption/rotate-keys.ts'
import { primaryKey } from '../platform/schema/migrations/create-table.ts'
import { tables } from '../platform/schema/tables.ts'

/** Encrypted links in the payloads of mail jobs. The encryption context of a link names the staff member or the appointment. */
const linksOfJobs: SealedColumn = {
  table: 'jobs',
  column: 'payload',
  key: primaryKey(tables.jobs),
  field: 'link',
  context: (_, { staffId, appointmentId }) =>
    typeof staffId === 'string' ? invitationContext(staffId) : tokenContext(Number(appointmentId)),
}

export const sealedColumns: readonly SealedColumn[] = [
  ...tablesInOrder.flatMap((table) =>
    Object.entries(cards.get(table)?.sealed ?? {}).flatMap(([column, sealing]) =>
      sealing === undefined
        ? []
        : [
            {
              table,
              column,
              key: [...primaryKey(tables[table]), ...(sealing.with ?? [])],
              field: sealing.field,
              context: sealing.context,
            },
          ],
    ),
  ),
  linksOfJobs,
]
