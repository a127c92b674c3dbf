/** The ledger by hand: waive, charge, credit, move. */
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import * as acts from '../../../domain/office/ledger-acts.ts'
import { formatShort } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/office-ledger.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LedgerEntriesTable, Tables } from '../../../platform/schema/tables.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import type { LockedLease } from '../../leases/lock.ts'
import { actFields, ledgerAct, lockForAct, reasonField, signedCents } from '../../standing/adjustments.ts'
import { chargeableFees, chargedPeriods } from '../chargeable.ts'
import type { LeaseKey } from '../totals.ts'

/** An amount that staff typed, in cents. */
export const typedCents = v.pipe(
  v.number(say.fullCents),
  v.integer(say.fullCents),
  v.minValue(1, say.amountNeeded),
  v.maxValue(10_000_000, say.amountTooLarge),
)

const example = {
  location_code: 'ATL01',
  tenant_id: 1001,
  lease_number: 10001,
  balance: 2178,
  newest_entry: '',
  act_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
  reason: 'courtesy',
  note: '',
}

/** What the entries of an act are named by: written once, whatever else fails. */
const onceOf = ({ act_id }: { act_id: string }): string => `staff:${act_id}`

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

const chargeInput = v.object({ ...actFields, reason: reasonField('charge'), fee_id: integer(say.chooseFee) })

async function charge(services: Services, input: v.InferOutput<typeof chargeInput>, callers: Callers) {
  const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
  if (!facts) return notOnFile
  const act = { operation: 'AddCharge', act: 'charge', permission: 'charge.add', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    const lease = await lockForAct(tx, tools, input, input)
    if (lease.status === 'Closed') return tools.refuse(refuse(409, 'lease_closed', say.leaseClosed))
    const fee = chargeableFees(facts, lease.unit_type_id).find((one) => one.fee_id === input.fee_id)
    if (!fee) return tools.refuse(refuse(409, 'fee_retired', say.feeRetired, { fields: { fee_id: say.feeRetired } }))
    const what = fee.description
    await tools.authorise(fee.amount, `Charge ${what}, ${lease.unit_number}`)
    const entries = acts.charge(fee, facts.location.fee_tax_rate, onceOf(input))
    return {
      leases: [await tools.write(lease, entries)],
      event: { kind: 'charge.added', details: { what, unit: lease.unit_number } },
    }
  })
}

export const AddCharge = internalOperation({
  name: 'AddCharge',
  access: { staff: may('charge.add') },
  input: chargeInput,
  example: { input: { ...example, reason: 'lock-cut', fee_id: 1 } },
  run: charge,
})

const creditInput = v.object({
  ...actFields,
  reason: reasonField('credit'),
  cents: typedCents,
  /** First day of the period that is forgiven in part or whole. */
  period_start: v.pipe(v.string(), v.isoDate(say.choosePeriod)),
})

function credit(services: Services, input: v.InferOutput<typeof creditInput>, callers: Callers) {
  const act = { operation: 'CreditLease', act: 'credit', permission: 'lease.credit', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    const lease = await lockForAct(tx, tools, input, input)
    const [period] = acts.creditablePeriods(await chargedPeriods(tx, lease, { only: input.period_start }))
    const wrong = (field: string, message: string) =>
      tools.refuse(refuse(409, 'more_than_the_period', message, { fields: { [field]: message } }))
    if (!period) return wrong('period_start', say.noSuchPeriod)
    if (input.cents > period.left) return wrong('cents', say.moreThanThePeriod(format(period.left)))
    const what = `${formatShort(period.start)} to ${formatShort(period.end)}`
    await tools.authorise(input.cents, `Credit for ${what}, ${lease.unit_number}`)
    return {
      leases: [await tools.write(lease, acts.credit(period, input.cents, onceOf(input)))],
      event: { kind: 'lease.credited', details: { what, unit: lease.unit_number } },
    }
  })
}

export const CreditLease = internalOperation({
  name: 'CreditLease',
  access: { staff: may('lease.credit') },
  input: creditInput,
  example: { input: { ...example, cents: 2500, period_start: '2026-11-01' } },
  run: credit,
})

const moveInput = v.object({
  ...actFields,
  reason: reasonField('move'),
  cents: typedCents,
  to_lease: integer(say.sameLease),
  /** What the form was made from on the other lease. */
  to_balance: signedCents,
  to_newest_entry: v.pipe(plainLine, v.maxLength(80)),
})

/** @returns why this cannot be moved; null where it can */
function unmovable(from: LockedLease, to: LockedLease, cents: number) {
  const most = Math.abs(from.balance)
  if (most === 0) return refuse(409, 'nothing_to_move', say.nothingToMove)
  const tooMuch = say.moreThanTheBalance(format(most))
  if (cents > most) return refuse(409, 'more_than_the_balance', tooMuch, { fields: { cents: tooMuch } })
  return from.balance > 0 && to.status === 'Closed' ? refuse(409, 'lease_closed', say.notOntoClosed) : null
}

function move(services: Services, input: v.InferOutput<typeof moveInput>, callers: Callers) {
  const act = { operation: 'MoveBalance', act: 'move', permission: 'balance.move', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    if (input.to_lease === input.lease_number)
      return tools.refuse(refuse(409, 'same_lease', say.sameLease, { fields: { to_lease: say.sameLease } }))
    const other = { ...input, lease_number: input.to_lease }
    const lockOther = () =>
      lockForAct(tx, tools, other, { balance: input.to_balance, newest_entry: input.to_newest_entry })
    // The lower number first, whichever way the money goes: two at once do not wait for each other.
    const early = input.to_lease < input.lease_number ? await lockOther() : null
    const from = await lockForAct(tx, tools, input, input)
    const to = early ?? (await lockOther())
    const why = unmovable(from, to, input.cents)
    if (why) return tools.refuse(why)
    const [unit, onto] = [from.unit_number, to.unit_number]
    await tools.authorise(input.cents, `Move a balance from ${unit} to ${onto}`)
    const entries = acts.moved(
      { balance: from.balance, unit },
      { balance: to.balance, unit: onto },
      input.cents,
      onceOf(input),
    )
    const leases = [await tools.write(from, entries.off), await tools.write(to, entries.onto)]
    return { leases, event: { kind: 'balance.moved', details: { unit, onto } } }
  })
}

export const MoveBalance = internalOperation({
  name: 'MoveBalance',
  access: { staff: may('balance.move') },
  input: moveInput,
  example: {
    input: { ...example, reason: 'wrong-lease', cents: 2500, to_lease: 10002, to_balance: 0, to_newest_entry: '' },
  },
  run: move,
})

export const ledgerByHand = [WaiveCharge, AddCharge, CreditLease, MoveBalance]
