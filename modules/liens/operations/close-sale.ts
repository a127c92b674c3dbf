import * as v from 'valibot'
import { may } from '../../../platform/operations/callers.ts'
import { optional, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { signedCents } from '../../standing/adjustments.ts'
import { example, note, ofCase, recordStep } from './record-step.ts'

/** The sale as it was held: a second person confirms it, and the winner's link is made. */
export const CloseSale = internalOperation({
  name: 'CloseSale',
  access: { staff: may('lien.sale') },
  freshFactor: true,
  input: v.object({
    ...ofCase,
    name: required(100),
    email: optional(254),
    city: optional(60),
    zip: optional(10),
    cents: signedCents,
    note,
  }),
  example: {
    input: { ...example, name: 'Otis Brandt', email: 'otis@example.com', city: 'Atlanta', zip: '30318', cents: 42000 },
  },
  run(services, { name, email, city, zip, cents, ...input }, callers) {
    const details = { winner: { name, email, city, zip, cents } }
    const sale = { step: 'sale', done_on: '', way: '', ticks: [], file: null } as const
    return recordStep(services, callers, { ...input, ...sale, ticks: [], details })
  },
})
