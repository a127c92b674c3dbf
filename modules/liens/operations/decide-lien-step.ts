import * as v from 'valibot'
import { optionalText, uuid } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { insertAuctionLink } from '../../links/payment-links.ts'
import { type ApprovableContext, approvableOperation } from '../../staff/approvable-operation.ts'
import { type LockedCase, lockCase, markSold, requireWaitingStep, storeDecision } from '../case-steps.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { type LienStepRow, parseStepDetails } from '../load-lien-cases.ts'
import { stepNames } from '../rules/next-lien-step.ts'
import * as say from '../texts/liens.ts'
import { checkNoPaymentPending } from './record-step.ts'

/**
 * Confirms or refuses the step that another staff member recorded. Confirming a sale creates the winner's payment link.
 */
export const DecideLienStep = approvableOperation({
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
  before: loadNamedCase,
  about: (_, lienCase) => caseAuditSubject(lienCase),
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input)
    const step = requireWaitingStep(lien, input.step_id, act.staff.staffId)
    const confirm = input.decision === 'confirm'
    if (confirm) await checkConfirmable(act.tx, { lien, lease }, step)
    await storeDecision(act, step.step_id, confirm ? 'counts' : 'refused')
    const link = confirm && step.step !== 'check' ? await sell(act, { lien, lease }, step) : null
    const details = { what: stepNames[step.step], unit: lease.unit_number }
    await act.audit({ kind: confirm ? 'lien.confirmed' : 'lien.refused', details, subject: lien.row.case_id })
    return { link }
  },
})

/**
 * Checks the facts again before a second staff member's confirmation of a lien step counts.
 * @throws RefusalError with 409 when the case is blocked, a payment is pending, or the check is from an earlier day
 */
async function checkConfirmable(
  tx: ApprovableContext['tx'],
  { lien, lease }: LockedCase,
  step: LienStepRow,
): Promise<void> {
  if (lien.blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(lien.blocks))
  await checkNoPaymentPending(tx, lease)
  if (step.step === 'check' && step.done_on !== lien.today) throw refusalError(409, 'too_old', say.checkedTooLong)
}

/**
 * Creates the payment link of a sale's winner and marks the case as sold.
 * @returns path of the winner's link
 * @throws RefusalError with 409 when the unit cannot be sold
 */
async function sell({ tx, services }: ApprovableContext, { lien, lease }: LockedCase, step: LienStepRow): Promise<string> {
  const { winner } = parseStepDetails(step)
  if (!winner) throw new Error(`The sale ${step.step_id} names no winner`)
  const unitKey = { locationCode: lease.location_code, unitNumber: lease.unit_number }
  const link = await insertAuctionLink(tx, services, { ...unitKey, ...winner })
  if (!link.ok) throw refusalError(409, 'no_link', link.why)
  await markSold(tx, lien.row.case_id, link.uuid)
  return link.path
}
