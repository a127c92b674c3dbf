import { data, type RouterContextProvider } from 'react-router'
import type * as v from 'valibot'
import { validate } from '../../domain/forms/form-rules.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import type { StepPath } from '../../modules/reservations/rules/journey/journey-steps.ts'
import { openStep, redirectIfAnswerKept, type StepPage, saveStep } from '../open-journey-step.ts'
import { readForm } from '../request/read-form-fields.ts'
import type { FormResponse } from '../ui/use-form-checks.ts'

interface Arguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

/**
 * Returns the path of the request's route as a key of `pages`, the pages of one file.
 * @throws Error when it is none of them
 */
export function pathAmong<Path extends string>(
  pages: Readonly<Record<Path, unknown>>,
  { pattern }: { pattern: string },
): Path {
  const path = pattern.replace(/^\/?/, '/')
  if (!isKeyOf(pages, path)) throw new Error(`No page of this file has the path ${path}`)
  return path
}

/**
 * Saves a step's form and redirects to the next step, or returns the errors. A form that keeps the answer on file
 * leads to the next step without being saved.
 * @param toAnswers turns the validated form into answers
 * @param findFaults checks a valid form against facts of the page, such as the facility's plans; returns messages by
 *   field
 */
export async function saveStepForm<Schema extends v.GenericSchema>(
  { request, context }: Arguments,
  path: StepPath,
  schema: Schema,
  toAnswers: (value: v.InferOutput<Schema>) => Partial<Answers>,
  findFaults: (value: v.InferOutput<Schema>, page: StepPage) => Record<string, string> = () => ({}),
) {
  const page = await openStep({ request, context }, path)
  const values = await readForm(request)
  const redirected = await redirectIfAnswerKept(page, values)
  if (redirected) return redirected
  const checked = validate(schema, values)
  const fields = checked.ok ? findFaults(checked.value, page) : checked.fields
  if (!checked.ok || Object.keys(fields).length > 0) {
    return data({ fields, values } satisfies FormResponse, { status: 400 })
  }
  return saveStep(page, toAnswers(checked.value))
}

/** Returns the value of a yes-no radio group; undefined when nothing is chosen. */
export const yesNoValue = (answer: boolean | undefined): string | undefined =>
  answer === undefined ? undefined : answer ? 'yes' : 'no'
