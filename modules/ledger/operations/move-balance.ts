import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import * as say from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import type { LockedLease } from '../../leases/lock-lease-row.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation, signedCents } from '../../standing/ledger-operation.ts'
import { formOnceKey, typedCents } from '../form-amount-and-once-key.ts'
import { movedBalanceEntries } from '../rules/moved-balance.ts'

export const MoveBalance = ledgerOperation({
  name: 'MoveBalance',
  permission: 'balance.move',
  event: 'balance.moved',
  entryAct: 'move',
  reasons: ['wrong-lease', 'moved-units', 'tenant-asked', 'other'],
  done: 'Moved.',
  button: {
    label: 'Move balance',
    key: 'b',
    place: 10,
    page: 'move-balance',
    about: 'lease',
    when: ({ balance, others }) => balance !== 0 && others > 0,
  },
  input: {
    cents: typedCents,
    to_lease: integer(say.sameLease),
    /** Balance and newest entry of the lease `to_lease`, as the form displayed them. */
    to_balance: signedCents,
    to_newest_entry: v.pipe(plainLine, v.maxLength(80)),
  },
  example: { cents: 2500, to_lease: 10002, to_balance: 0, to_newest_entry: '' },
  async work(act, input) {
    if (input.to_lease === input.lease_number)
      throw refusalError(409, 'same_lease', say.sameLease, { fields: { to_lease: say.sameLease } })
    const other = { ...input, lease_number: input.to_lease }
    // Locks the lower lease number first, so that two moves in opposite directions do not deadlock.
    const lockedFirst = input.to_lease < input.lease_number ? await lockTenantLease(act.tx, other) : null
    const from = await lockTenantLease(act.tx, input)
    const to = lockedFirst ?? (await lockTenantLease(act.tx, other))
    await checkAgainstForm(act, from, input)
    await checkAgainstForm(act, to, { balance: input.to_balance, newest_entry: input.to_newest_entry })
    checkMovable(from, to, input.cents)
    const unit = from.unit_number
    const onto = to.unit_number
    await act.authorize(input.cents, `Move a balance from ${unit} to ${onto}`)
    const entries = movedBalanceEntries(
      { balance: from.balance, unit },
      { balance: to.balance, unit: onto },
      input.cents,
      formOnceKey(input),
    )
    const leases = [await act.write(from, entries.off), await act.write(to, entries.onto)]
    await act.audit({ details: { unit, onto } })
    return { leases }
  },
})

/**
 * Checks that the amount can be moved from one lease to the other.
 * @throws RefusalError
 */
function checkMovable(from: LockedLease, to: LockedLease, cents: number): void {
  const movable = Math.abs(from.balance)
  if (movable === 0) throw refusalError(409, 'nothing_to_move', say.nothingToMove)
  const tooMuch = say.amountAboveBalance(format(movable))
  if (cents > movable) throw refusalError(409, 'more_than_the_balance', tooMuch, { fields: { cents: tooMuch } })
  if (from.balance > 0 && to.status === 'Closed') throw refusalError(409, 'lease_closed', say.cannotMoveToClosedLease)
}
