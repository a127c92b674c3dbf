/** Test support: forms of the lien steps, and lien cases advanced to a given step. */

import type { IsoDate } from '../../domain/plain-date.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { performOrThrow } from '../cash-drawers/testing.ts'
import { caseVersionMark } from './internal/lien-step-checks-and-confirmations.ts'
import { loadCase } from './load-lien-cases.ts'
import { DecideLienStep } from './operations/confirm-or-refuse-lien-step.ts'
import { RecordLienStep } from './operations/record-lien-step.ts'
import type { LienStep } from './rules/next-lien-step.ts'
import { pdf, photo } from './testing-lien-rules.ts'

export const lienStepForms = {
  military: { step: 'military', way: 'not serving', file: pdf() },
  notice: { step: 'notice', way: 'verified mail', proof: '9407 1000 2000', file: pdf() },
  advertisement: { step: 'advertisement', way: 'newspaper', proof: 'The Post, page 4', file: pdf() },
  check: { step: 'check', ticks: ['door', 'bankruptcy', 'status'], file: photo() },
} as const

export const saleForm = {
  name: 'Otis Brandt',
  email: 'otis@example.com',
  city: 'Atlanta',
  zip: '30318',
  cents: 200_00,
}

/** Returns the form fields of a lien case in its current state. */
export async function formOfCase(services: Services, case_id: string) {
  const lien = await loadCase(services, case_id)
  return { location_code: lien?.row.location_code ?? 'GA1', case_id, made_from: lien ? caseVersionMark(lien) : '' }
}

/** Confirms or refuses, as another staff member, the step of a lien case that waits for confirmation. For tests. */
export async function decideLienStep(services: Services, case_id: string, decision: 'confirm' | 'refuse', by: Callers) {
  const waiting = (await loadCase(services, case_id))?.waiting
  const input = { ...(await formOfCase(services, case_id)), step_id: waiting?.step_id, decision }
  return perform(services, DecideLienStep, input, by)
}

/**
 * Records the steps of a lien case before `until`, each on its earliest day, for tests.
 * @param by staff who record steps and photograph the door, and a function that sets the day
 * @throws Error when a step is refused
 */
export async function workCase(
  services: Services,
  case_id: string,
  until: LienStep,
  by: { manager: Callers; field: Callers; goTo(day: IsoDate): void },
): Promise<void> {
  for (;;) {
    const lien = await loadCase(services, case_id)
    const due = lien?.next
    if (!lien || !due || due.step === until) return
    if (due.earliest > lien.today) by.goTo(due.earliest)
    const form = lienStepForms[due.step as keyof typeof lienStepForms]
    const recorder = due.step === 'check' ? by.field : by.manager
    await performOrThrow(services, RecordLienStep, { ...(await formOfCase(services, case_id)), ...form }, recorder)
    if (due.step !== 'check') continue
    const result = await decideLienStep(services, case_id, 'confirm', by.manager)
    if (!result.ok) throw new Error(`check: ${result.message}`)
  }
}
