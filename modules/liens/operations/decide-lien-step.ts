import * as v from 'valibot'
import { type StepDetails, stepNames } from '../../../domain/office/liens.ts'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { optional, uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { auctionLinkIn } from '../../links/links.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { caseById, type LienStepRow } from '../cases.ts'
import { decideStep, type LockedCase, lockCase, markSold } from '../record.ts'
import * as say from '../texts/liens.ts'
import { example, ofCase, refuseMoneyOnItsWay, type Tx } from './record-step.ts'

/** A second person looks at what the first has recorded: confirmed, it counts; a confirmed sale makes the winner's link. */
export const DecideLienStep = internalOperation({
  name: 'DecideLienStep',
  access: { staff: may('lien.step') },
  freshFactor: true,
  input: v.object({
    ...ofCase,
    step_id: uuid(),
    decision: v.picklist(['confirm', 'refuse']),
    reason: optional(300),
  }),
  example: {
    input: { ...example, step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17', decision: 'confirm' },
  },
  async run(services, input, callers) {
    const known = await caseById(services, input.case_id)
    if (known?.row.location_code !== input.location_code) return notOnFile
    const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
    const called = { operation: 'DecideLienStep', permission: 'lien.step', input, ...of } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const locked = await lockCase(tx, services, tools, input)
      const { lien, lease } = locked
      const confirm = input.decision === 'confirm'
      const { staffId } = staffOf(callers)
      const step = await decideStep(tx, services, tools, lien, { staffId, stepId: input.step_id, confirm })
      const link = confirm ? await confirmed(tx, services, tools, locked, step) : null
      const details = { what: stepNames[step.step], unit: lease.unit_number }
      return {
        done: { link },
        event: { kind: confirm ? 'lien.confirmed' : 'lien.refused', details, subject: lien.row.case_id },
      }
    })
  },
})

/** What was true when the first looked has to be true still. @returns the winner's link, of a sale */
async function confirmed(
  tx: Tx,
  services: Services,
  tools: Pick<ActTools, 'refuse'>,
  { lien, lease }: LockedCase,
  step: LienStepRow,
): Promise<string | null> {
  if (lien.blocks.length > 0) tools.refuse(refuse(409, 'blocked', say.blockedBy(lien.blocks)))
  await refuseMoneyOnItsWay(tx, tools, lease)
  if (step.step === 'check') {
    if (step.done_on !== lien.today) tools.refuse(refuse(409, 'too_old', say.checkedTooLong))
    return null
  }
  const { winner } = JSON.parse(step.details) as StepDetails
  if (!winner) throw new Error(`The sale ${step.step_id} names no winner`)
  const of = { locationCode: lease.location_code, unitNumber: lease.unit_number }
  const made = await auctionLinkIn(tx, services, { ...of, ...winner })
  if (!made.ok) return tools.refuse(refuse(409, 'no_link', made.why))
  await markSold(tx, lien.row.case_id, made.uuid)
  return made.path
}
