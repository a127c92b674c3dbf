import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { LeaseKey } from '../../leases/lease.ts'
import { type ApprovableContext, approvableOperation } from '../../staff/approvable-operation.ts'
import { addStaffEntries } from '../../standing/add-staff-ledger-entries.ts'
import { previewField } from '../../standing/ledger-operation.ts'
import type { WrittenEntries } from '../../standing/rules/ledger-operation-result-types.ts'
import { caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { lockCase } from '../internal/lock-case.ts'
import { surplusLeft, surplusWays } from '../rules/next-lien-step.ts'
import { nothingLeftOfSurplus, surplusPaid } from '../texts/lien-cases.ts'

/**
 * Records the payout of a sale's surplus to the tenant or the state, and closes the lien case. Where charges since the
 * sale have used up the surplus, closes the case without a payout.
 */
export const PaySurplus = approvableOperation({
  name: 'PaySurplus',
  permission: 'money.refund',
  event: 'lien.closed',
  // A preview needs no fresh second factor.
  freshFactor: ({ preview }) => !preview,
  input: v.object({
    ...caseFields,
    /** Payee; 'none' if nothing is left to pay out. */
    to: v.optional(v.picklist(['tenant', 'state', 'none'], 'Choose whom.')),
    /** Means of the payout, such as 'check 1042', part of the ledger entry's description; '' if nothing is left. */
    how: optionalText(80),
    reason: optionalText(300),
    preview: previewField,
  }),
  example: { ...caseExample, made_from: 'surplus:', to: 'tenant', how: 'check 1042' },
  before: loadNamedCase,
  about: (_, { row }) => ({ tenantId: row.tenant_id, leaseNumber: row.lease_number }),
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input, ['surplus'])
    const unit = lease.unit_number
    const cents = surplusLeft(lien.row.surplus, lease.balance)
    const payout = payoutOf(input, cents)
    const to = payout?.to ?? ''
    await act.authorize(
      cents,
      payout
        ? `Pay the surplus of ${format(cents)} of ${unit} ${to}`
        : `Close the lien case of ${unit}, of whose surplus nothing is left`,
    )
    const leases = payout ? [await addPayout(act, lease, { ...payout, cents, once: `surplus:${input.case_id}` })] : []
    const { tx, services, staff } = act
    await tx
      .updateTable('lien_cases')
      .set({
        state: 'closed',
        ended_on: lien.today,
        ended_at: services.clock.now(),
        ended_by: staff.staffId,
        ended_because: payout ? '' : nothingLeftOfSurplus,
      })
      .where('case_id', '=', input.case_id)
      .execute()
    await act.audit({ kind: 'lien.closed', details: { unit, to }, subject: input.case_id })
    return { leases }
  },
})

/**
 * Returns payee and means of a payout; null if nothing is left to pay out.
 * @param cents what is left
 * @throws RefusalError with 409 when the form saw another state of the surplus, 400 when the input lacks payee or means
 */
function payoutOf({ to, how }: { to?: keyof typeof surplusWays | 'none' | undefined; how: string }, cents: Cents) {
  if (to === undefined) throw new RefusalError(wrongFields({ to: 'Choose whom.' }))
  if (to !== 'none' && cents === 0) throw refusalError(409, 'changed', nothingLeftOfSurplus)
  if (to === 'none' && cents > 0) throw refusalError(409, 'changed', changedSince)
  if (to === 'none') return null
  if (how === '') throw new RefusalError(wrongFields({ how: 'is required' }))
  return { to: surplusWays[to].toLowerCase(), how }
}

/** Adds the payout of a surplus to the ledger of its locked lease. */
function addPayout(
  act: ApprovableContext,
  lease: LeaseKey,
  { to, how, cents, once }: { to: string; how: string; cents: Cents; once: string },
): Promise<WrittenEntries> {
  const note = `${to}, ${how}`
  const entries = [{ kind: 'refund', cents, once, description: surplusPaid(note) }] as const
  return addStaffEntries(act, { lease, act: 'surplus', reason: 'sale-surplus', note, entries })
}
