import * as v from 'valibot'
import { lines, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { signedCents } from '../../standing/ledger-operation.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { noProof } from '../proof-file.ts'
import { recordStep } from './record-step.ts'

/** Records a held sale. A second staff member confirms it, which creates the winner's payment link. */
export const CloseSale = approvableOperation({
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
  before: loadNamedCase,
  about: ({ note }, lienCase) => ({ ...caseAuditSubject(lienCase), why: note }),
  work(act, { name, email, city, zip, cents, ...input }) {
    const details = { winner: { name, email, city, zip, cents } }
    const sale = { step: 'sale', done_on: '', way: '', ticks: [] } as const
    return recordStep(act, { ...input, ...sale, details }, { stepId: act.services.random.uuid(), proof: noProof })
  },
})
