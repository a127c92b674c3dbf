import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { formatShort } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { LedgerEntriesTable, Tables } from '../../../platform/schema/tables.ts'
import type { LeaseKey } from '../../leases/lease.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { type StoredEntry, taxKeyOf } from '../rules/stored-and-new-ledger-entries.ts'
import { isSingleFee, waiverEntries, waiverKey } from '../rules/waiver.ts'

export const WaiveCharge = ledgerOperation({
  name: 'WaiveCharge',
  permission: 'fee.waive',
  event: 'charge.waived',
  entryAct: 'waive',
  tenantMail: 'waive',
  reasons: ['courtesy', 'first-time', 'our-mistake', 'charged-twice', 'autopay-failed', 'hardship', 'other'],
  done: 'Waived.',
  button: { label: 'Waive', key: 'w', place: 3, page: 'waive', about: 'lease' },
  input: { entry_id: v.pipe(plainLine, v.maxLength(80)) },
  example: { entry_id: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c1' },
  async work(act, input) {
    const lease = await lockTenantLease(act.tx, input)
    await checkAgainstForm(act, lease, input)
    const { fee, tax } = await loadFeeToWaive(act.tx, lease, input.entry_id)
    const feeAndDay = `${fee.description} of ${formatShort(fee.postedOn)}`
    const unit = lease.unit_number
    await act.authorize(fee.cents, `Waive ${feeAndDay}, ${unit}`)
    const written = await act.write(lease, waiverEntries(fee, tax))
    await act.audit({ details: { what: feeAndDay, unit }, subject: input.entry_id })
    return { leases: [written] }
  },
})

/**
 * Returns the fee to waive, with its tax.
 * @throws RefusalError when the entry is unknown, is not a single fee, or is waived already
 */
async function loadFeeToWaive(tx: Kysely<Tables>, lease: LeaseKey, entryId: string) {
  const row = await loadEntry(tx, lease, { entry_id: entryId })
  if (!row) throw new RefusalError(recordNotFound)
  const fee = toStoredEntry(row)
  if (!isSingleFee(fee)) throw refusalError(409, 'not_a_fee', say.notAFee)
  if (await loadEntry(tx, lease, { once: waiverKey(entryId) })) throw refusalError(409, 'waived', say.waivedAlready)
  const tax = await loadEntry(tx, lease, { once: taxKeyOf(row.once) })
  return { fee, tax: tax && toStoredEntry(tax) }
}

const loadEntry = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  key: { entry_id: string } | { once: string },
) =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number, ...key }))
    .executeTakeFirst()

const toStoredEntry = (row: Selectable<LedgerEntriesTable>): StoredEntry => ({
  id: row.entry_id,
  once: row.once,
  description: row.description,
  kind: row.kind,
  cents: row.cents,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  postedOn: row.posted_on,
})
