import * as v from 'valibot'
import { stepNames } from '../../../domain/office/next-lien-step.ts'
import { optionalText, uuid } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { insertAuctionLink } from '../../links/payment-links.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { decideStep, type LockedCase, lockCase, markSold } from '../case-steps.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { type LienStepRow, parseStepDetails } from '../lien-cases.ts'
import * as say from '../texts/liens.ts'
import { checkNoPaymentPending } from './record-step.ts'

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
  before: loadNamedCase,
  about: (_, lienCase) => caseAuditSubject(lienCase),
  async work(act, input) {
    const locked = await lockCase(act, input)
    const { lien, lease } = locked
    const confirm = input.decision === 'confirm'
    const step = await decideStep(act, lien, { stepId: input.step_id, confirm })
    const link = confirm ? await confirmStep(act, locked, step) : null
    const details = { what: stepNames[step.step], unit: lease.unit_number }
    await act.audit({ kind: confirm ? 'lien.confirmed' : 'lien.refused', details, subject: lien.row.case_id })
    return { link }
  },
})

/**
 * Checks the facts again before a second staff member's confirmation of a lien step counts, and creates the payment
 * link of an auction winner.
 * @returns path of the winner's link for a sale; otherwise null
 * @throws RefusalError with 409 when the case is blocked, a payment is pending, or the check is from an earlier day
 */
async function confirmStep(
  { tx, services }: OfficeContext,
  { lien, lease }: LockedCase,
  step: LienStepRow,
): Promise<string | null> {
  if (lien.blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(lien.blocks))
  await checkNoPaymentPending(tx, lease)
  if (step.step === 'check') {
    if (step.done_on !== lien.today) throw refusalError(409, 'too_old', say.checkedTooLong)
    return null
  }
  const { winner } = parseStepDetails(step)
  if (!winner) throw new Error(`The sale ${step.step_id} names no winner`)
  const unitKey = { locationCode: lease.location_code, unitNumber: lease.unit_number }
  const link = await insertAuctionLink(tx, services, { ...unitKey, ...winner })
  if (!link.ok) throw refusalError(409, 'no_link', link.why)
  await markSold(tx, lien.row.case_id, link.uuid)
  return link.path
}
