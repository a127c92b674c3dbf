/**
 * Requirements of lien steps besides their day: an unchanged case, copies of the notice, checked items, a second staff
 * member.
 */
import type { CopyRecipient } from '../../../domain/office/lien-rules.ts'
import { leaseDetailsOf } from '../../leases/renter-answers-stored-with-lease.ts'
import type { LienCaseState } from '../load-lien-cases.ts'
import type { LienStep } from '../rules/next-lien-step.ts'

/** Returns a lien case's state as text, by which an operation detects that the case changed since its form opened. */
export const caseVersionMark = ({ steps, row }: Pick<LienCaseState, 'steps' | 'row'>): string =>
  `${row.state}:${steps.map(({ state }) => state[0]).join('')}`

/** Items that are ticked in the check on the day before a sale. */
export const checkLines = {
  door: 'The right door: the photo shows its number',
  bankruptcy: 'No bankruptcy is known',
  status: 'Military status looked up again today: not serving',
} as const

/** Returns the required recipients of copies of the notice, as far as the lease names such a recipient. */
export function copiesNeeded({ rules, lease }: Pick<LienCaseState, 'rules' | 'lease'>): CopyRecipient[] {
  const details = leaseDetailsOf(lease)
  return rules.notice.copies.filter((to) => (to === 'agent' ? details.designatedAgent : details.lienHolder))
}

/** Returns whether a step counts only after a second staff member confirms it. */
export const needsSecondPerson = (step: LienStep): boolean => step === 'check' || step === 'sale'
