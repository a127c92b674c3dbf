import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { formatShort } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/office-ledger.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LedgerEntriesTable, Tables } from '../../../platform/schema/tables.ts'
import type { LeaseKey } from '../../leases/lease.ts'
import { actFields, ledgerAct, lockForAct, reasonField } from '../../standing/adjustments.ts'
import { example } from '../entry-input.ts'
import * as acts from '../rules/ledger-acts.ts'

const entryOf = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  by: { entry_id: string } | { once: string },
) =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number, ...by }))
    .executeTakeFirst()

const standing = (row: Selectable<LedgerEntriesTable>): acts.StandingEntry => ({
  id: row.entry_id,
  once: row.once,
  description: row.description,
  kind: row.kind,
  cents: row.cents,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  postedOn: row.posted_on,
})

/** The fee that is named, and what waives it. */
async function feeToWaive(tx: Kysely<Tables>, lease: LeaseKey, entryId: string) {
  const row = await entryOf(tx, lease, { entry_id: entryId })
  if (!row) return notOnFile
  const fee = standing(row)
  if (!acts.isSingleFee(fee)) return refuse(409, 'not_a_fee', say.notAFee)
  if (await entryOf(tx, lease, { once: acts.waiverKey(entryId) })) return refuse(409, 'waived', say.waivedAlready)
  const tax = await entryOf(tx, lease, { once: acts.taxKeyOf(row.once) })
  return { ok: true as const, fee, entries: acts.waiver(fee, tax && standing(tax)) }
}

const waiveInput = v.object({
  ...actFields,
  reason: reasonField('waive'),
  entry_id: v.pipe(plainLine, v.maxLength(80)),
})

function waive(services: Services, input: v.InferOutput<typeof waiveInput>, callers: Callers) {
  const act = { operation: 'WaiveCharge', act: 'waive', permission: 'fee.waive', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    const lease = await lockForAct(tx, tools, input, input)
    const found = await feeToWaive(tx, lease, input.entry_id)
    if (!found.ok) return tools.refuse(found)
    const { fee, entries } = found
    const what = `${fee.description} of ${formatShort(fee.postedOn)}`
    await tools.authorise(fee.cents, `Waive ${what}, ${lease.unit_number}`)
    return {
      leases: [await tools.write(lease, entries)],
      event: { kind: 'charge.waived', details: { what, unit: lease.unit_number }, subject: input.entry_id },
    }
  })
}

export const WaiveCharge = internalOperation({
  name: 'WaiveCharge',
  access: { staff: may('fee.waive') },
  input: waiveInput,
  example: { input: { ...example, entry_id: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c1' } },
  run: waive,
})
