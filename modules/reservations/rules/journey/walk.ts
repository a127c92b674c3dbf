/** Next, back, where to resume and whether a page may be opened: all derived from the one list of steps. */

import { alreadyRented, lacksPaymentMethod } from '../../../move-in/texts/move-in.ts'
import type { Facts } from './answers.ts'
import { moveInSteps } from './move-in-steps.ts'
import { type StepGroup, type StepPath, steps } from './steps.ts'

function indexOf(path: StepPath): number {
  return steps.findIndex((step) => step.path === path)
}

type AnyStep = (typeof steps)[number]

/** The summary asks a signed-in tenant whether an agent is to be named, and shows one who is: their page is opened from there. */
const isPassedBy = (step: AnyStep, facts: Facts): boolean =>
  step.path === '/designated-agent' && facts.visitor.signedIn && !facts.answers.rentNow && step.complete(facts)

const isOnTheWay = (step: AnyStep, facts: Facts): boolean => step.applies(facts) && !isPassedBy(step, facts)

export function nextStep(path: StepPath, facts: Facts): StepPath | null {
  return steps.slice(indexOf(path) + 1).find((step) => isOnTheWay(step, facts))?.path ?? null
}

export function previousStep(path: StepPath, facts: Facts): StepPath | null {
  return steps.slice(0, indexOf(path)).findLast((step) => isOnTheWay(step, facts))?.path ?? null
}

/** Where the visitor resumes: the first incomplete step, and why; /rental-completed once rented. */
export function firstIncomplete(facts: Facts): { path: StepPath; lacks: string } {
  if (facts.visitor.rented) return { path: '/rental-completed', lacks: alreadyRented }
  for (const step of steps) {
    if (step.applies(facts) && !step.complete(facts)) return { path: step.path, lacks: step.lacks(facts) }
  }
  return { path: '/payment-method', lacks: lacksPaymentMethod }
}

/** Whether a step's page may be opened: all before it is complete. Else the first incomplete step, and why. */
export function mayOpen(path: StepPath, facts: Facts): { open: true } | { open: false; goTo: StepPath; lacks: string } {
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

/** Steps without which a lease is complete: it names what they ask for only where it was given. */
const notNeededForLease: readonly StepPath[] = ['/designated-agent', '/shield-brochure', '/customer-info']

/** Returns whether the lease can be read as it would be signed: every other question before it is answered. */
export const isLeaseReadable = (facts: Facts): boolean =>
  !facts.visitor.rented &&
  steps
    .slice(0, indexOf('/lease'))
    .every((step) => !step.applies(facts) || step.complete(facts) || notNeededForLease.includes(step.path))

/** Where a move-in's page stands on its progress bar, from 1; null for pages that have none (before the move-in, and after it). */
export function barStep(path: StepPath | '/confirm-rental-payment'): number | null {
  const group: StepGroup | undefined = path === '/confirm-rental-payment' ? 'Payment' : steps[indexOf(path)]?.group
  // Optional branches never change the count.
  return (moveInSteps as readonly (StepGroup | undefined)[]).indexOf(group) + 1 || null
}
