import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { lines, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { signedCents } from '../../standing/ledger-operation.ts'
import { caseAuditSubject, caseExample, caseFields } from '../internal/case-operation-fields.ts'
import { checkStepIsNext, insertStep } from '../internal/insert-step.ts'
import { lockCase } from '../internal/lock-case.ts'
import { noProof } from '../lien-proof-files.ts'
import { stepNames } from '../rules/next-lien-step.ts'
import { bidNeeded, paymentOnItsWay } from '../texts/lien-cases.ts'

/** Maximum bid in cents; a higher bid is taken for a typing error. */
const BID_MAX: Cents = 100_000_00

/** Records the auction sale of a unit. A second staff member confirms the sale, which creates the winner's link. */
export const CloseSale = officeOperation({
  name: 'CloseSale',
  permission: 'lien.sale',
  freshFactor: true,
  input: v.object({
    ...caseFields,
    name: requiredText(100),
    email: optionalText(254),
    city: optionalText(60),
    zip: optionalText(10),
    cents: signedCents,
    note: v.optional(lines(500), ''),
  }),
  example: {
    ...caseExample,
    name: 'Otis Brandt',
    email: 'otis@example.com',
    city: 'Atlanta',
    zip: '30318',
    cents: 42000,
  },
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input)
    const sale = { step: 'sale', doneOn: lien.today } as const
    checkStepIsNext(lien, sale)
    const { name, email, city, zip, cents, note } = input
    if (cents <= 0 || cents > BID_MAX) throw new RefusalError(wrongFields({ cents: bidNeeded }))
    if (await isPaymentPending(act.tx, lease)) throw refusalError(409, 'money_on_its_way', paymentOnItsWay)

    const stepId = act.services.random.uuid()
    const details = { winner: { name, email, city, zip, cents } }
    await insertStep(act, lien, { ...sale, stepId, way: '', note, details, proof: noProof })
    await act.audit({
      kind: 'lien.recorded',
      ...caseAuditSubject(lien),
      details: { what: stepNames.sale, unit: lease.unit_number, on: formatUs(sale.doneOn) },
      reason: note,
    })
    return { step_id: stepId }
  },
})
