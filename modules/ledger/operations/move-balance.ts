import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import * as say from '../../../domain/texts/office-ledger.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LockedLease } from '../../leases/lock.ts'
import { actFields, ledgerAct, lockForAct, reasonField, signedCents } from '../../standing/adjustments.ts'
import { example, onceOf, typedCents } from '../entry-input.ts'
import * as acts from '../rules/ledger-acts.ts'

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
