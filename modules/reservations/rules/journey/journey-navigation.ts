/**
 * Derives the next and previous step, the step to resume at, and the pages that may be opened, from the list of steps.
 */

import { requireValue } from '../../../../domain/require-value.ts'
import { isOneOf } from '../../../../domain/typed-keys.ts'
import { alreadyRented } from '../../../move-in/texts/move-in.ts'
import { isMoveInStarted } from './draft.ts'
import type { Answers, JourneyFacts } from './journey-answers.ts'
import { moveInSteps, type StepGroup, type StepPath, steps } from './journey-steps.ts'

function indexOf(path: StepPath): number {
  return steps.findIndex((step) => step.path === path)
}

type AnyStep = (typeof steps)[number]

/**
 * Returns whether Next and Back skip a step of the rental. They skip only the question about a designated agent, for a
 * signed-in tenant who reserves for later and has answered it: the summary asks it too and links to its page.
 */
const isSkipped = (step: AnyStep, facts: JourneyFacts): boolean =>
  step.path === '/designated-agent' && facts.visitor.signedIn && !facts.answers.rentNow && step.complete(facts)

const isPartOfJourney = (step: AnyStep, facts: JourneyFacts): boolean => step.applies(facts) && !isSkipped(step, facts)

/** Returns the first step after `path` that applies to this rental and is not skipped; null after the last step. */
export function nextStep(path: StepPath, facts: JourneyFacts): StepPath | null {
  return steps.slice(indexOf(path) + 1).find((step) => isPartOfJourney(step, facts))?.path ?? null
}

/** Returns the last step before `path` that applies to this rental and is not skipped; null before the first step. */
export function previousStep(path: StepPath, facts: JourneyFacts): StepPath | null {
  return steps.slice(0, indexOf(path)).findLast((step) => isPartOfJourney(step, facts))?.path ?? null
}

/** Returns the first incomplete step and the reason; /rental-completed once rented. */
export function firstIncomplete(facts: JourneyFacts): { path: StepPath; lacks: string } {
  if (facts.visitor.rented) return { path: '/rental-completed', lacks: alreadyRented }
  // Every rental that is not rented is incomplete at '/rental-completed' at the latest.
  const step = requireValue(
    steps.find((each) => each.applies(facts) && !each.complete(facts)),
    'incomplete step',
  )
  return { path: step.path, lacks: step.lacks(facts) }
}

/**
 * Returns whether a step's page may be opened: the step applies, and all earlier steps that apply are complete.
 * Otherwise returns the first incomplete step and the reason. Once rented, only /rental-completed may be opened.
 */
export function checkStepAccess(
  path: StepPath,
  facts: JourneyFacts,
): { open: true } | { open: false; goTo: StepPath; lacks: string } {
  if (facts.visitor.rented) {
    return path === '/rental-completed'
      ? { open: true }
      : { open: false, goTo: '/rental-completed', lacks: alreadyRented }
  }
  const first = firstIncomplete(facts)
  const applies = steps[indexOf(path)]?.applies(facts) ?? false
  if (applies && indexOf(path) <= indexOf(first.path)) return { open: true }
  return { open: false, goTo: first.path, lacks: first.lacks }
}

/** Steps of a rental that may still lack answers while the lease is shown. */
const notNeededForLease: readonly StepPath[] = ['/designated-agent', '/shield-brochure', '/customer-info']

/**
 * Returns whether the lease can be shown: each earlier step that applies is complete or is one of `notNeededForLease`.
 * False once the unit is rented.
 */
export const isLeaseReadable = (facts: JourneyFacts): boolean =>
  !facts.visitor.rented &&
  steps
    .slice(0, indexOf('/lease'))
    .every((step) => !step.applies(facts) || step.complete(facts) || notNeededForLease.includes(step.path))

/** Returns a page's position on the move-in progress bar, from 1; null for pages before and after the move-in. */
export function progressBarStep(path: StepPath | '/confirm-rental-payment'): number | null {
  const group: StepGroup | undefined = path === '/confirm-rental-payment' ? 'Payment' : steps[indexOf(path)]?.group
  // Optional branches never change the count.
  return group !== undefined && isOneOf(moveInSteps, group) ? moveInSteps.indexOf(group) + 1 : null
}

/**
 * Returns the step at which a rental with a unit resumes: at the latest the payment method, so that resuming creates no
 * order.
 */
export function resumeStep(draft: { rentNow: boolean; answers: Answers }, facts: JourneyFacts): StepPath {
  const furthest = isMoveInStarted(draft) ? '/payment-method' : '/reservation-confirmed'
  const access = checkStepAccess(furthest, facts)
  return access.open ? furthest : access.goTo
}
