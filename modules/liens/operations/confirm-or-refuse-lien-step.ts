import * as v from 'valibot'
import { optionalText, uuid } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { insertAuctionLink } from '../../links/auction-and-settlement-link-records.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { caseAuditSubject, caseExample, caseFields } from '../internal/case-operation-fields.ts'
import { type LockedCase, lockCase } from '../internal/lock-case.ts'
import { type LienCaseState, type LienStepRow, parseStepDetails } from '../load-lien-cases.ts'
import { stepNames } from '../rules/next-lien-step.ts'
import * as say from '../texts/lien-cases.ts'

/**
 * Confirms or refuses the step that another staff member recorded. Confirming a sale creates the winner's payment link.
 */
export const DecideLienStep = officeOperation({
  name: 'DecideLienStep',
  permission: 'lien.step',
  freshFactor: true,
  input: v.object({
    ...caseFields,
    step_id: uuid(),
    decision: v.picklist(['confirm', 'refuse']),
    reason: optionalText(300),
  }),
  example: { ...caseExample, step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17', decision: 'confirm' },
  async work(act, input) {
    const { tx, services, staff } = act
    const { lien, lease } = await lockCase(act, input)
    const step = requireWaitingStep(lien, input.step_id, staff.staffId)
    const confirm = input.decision === 'confirm'
    if (confirm) await checkConfirmable(tx, { lien, lease }, step)

    await tx
      .updateTable('lien_steps')
      .set({
        state: confirm ? 'counts' : 'refused',
        second_staff_id: staff.staffId,
        decided_at: services.clock.now(),
      })
      .where('step_id', '=', step.step_id)
      .execute()
    const link = confirm && step.step !== 'check' ? await sell(act, { lien, lease }, step) : null
    const details = { what: stepNames[step.step], unit: lease.unit_number }
    await act.audit({ kind: confirm ? 'lien.confirmed' : 'lien.refused', details, ...caseAuditSubject(lien) })
    return { link }
  },
})

/**
 * Returns the case's waiting step if this staff member may decide it.
 * @throws RefusalError with 409 when this step no longer waits, 403 when the staff member recorded it
 */
function requireWaitingStep({ waiting }: LienCaseState, stepId: string, staffId: string): LienStepRow {
  if (waiting?.step_id !== stepId) throw refusalError(409, 'decided', say.noStepWaits)
  if (waiting.staff_id === staffId) throw refusalError(403, 'own_step', say.secondPerson)
  return waiting
}

/**
 * Checks the facts again before a second staff member's confirmation of a lien step counts.
 * @throws RefusalError with 409 when the case is blocked, a payment is pending, or the check is from an earlier day
 */
async function checkConfirmable(
  tx: OfficeContext['tx'],
  { lien, lease }: LockedCase,
  step: LienStepRow,
): Promise<void> {
  if (lien.blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(lien.blocks))
  if (await isPaymentPending(tx, lease)) throw refusalError(409, 'money_on_its_way', say.paymentOnItsWay)
  if (step.step === 'check' && step.done_on !== lien.today) throw refusalError(409, 'too_old', say.checkedTooLong)
}

/**
 * Creates the payment link of a sale's winner and marks the case as sold.
 * @returns path of the winner's link
 * @throws RefusalError with 409 when the unit cannot be sold
 */
async function sell({ tx, services }: OfficeContext, { lien, lease }: LockedCase, step: LienStepRow): Promise<string> {
  const { winner } = parseStepDetails(step)
  if (!winner) throw new Error(`The sale ${step.step_id} names no winner`)
  const unitKey = { locationCode: lease.location_code, unitNumber: lease.unit_number }
  const link = await insertAuctionLink(tx, services, { ...unitKey, ...winner })
  if (!link.ok) throw refusalError(409, 'no_link', link.why)
  await tx
    .updateTable('lien_cases')
    .set({ state: 'sold', winner_uuid: link.uuid })
    .where('case_id', '=', lien.row.case_id)
    .execute()
  return link.path
}
