/** Sends forms that a page refuses to the page and to the operation behind it. Finds the pages that check a form. */
import { expect } from 'vitest'
import type { Browser } from '../app/testing.ts'
import { type InternalOperation, type Operation, perform } from '../platform/operations/operation.ts'
import type { Outcome } from '../platform/operations/outcome.ts'
import { loadSessionCallers } from '../server/web/authenticate-callers.ts'
import { sourcesOf } from './structure.ts'
import { visitor } from './support/small-operator.ts'

export type Form = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: operations of every input are called alike
type TestedOperation = Operation<any, any> | InternalOperation<any, any>

/**
 * Forms of a page that are sent to its operation: one in which the operation must find no invalid field, and values
 * that page and operation must refuse.
 */
export interface FormCase {
  /** A form in which no field is invalid. Page and operation may still decline it, such as for a wrong password. */
  form: Form
  /** Input of the operation besides the form's fields. */
  input?: Record<string, unknown>
  /** Names of the form's fields in the operation where they differ; null for a field that only the form has. */
  names?: Record<string, string | null>
  /** Values that page and operation must refuse, by field of the form. */
  refusedValues: Record<string, string[]>
  /** Returns whether a successful response of the operation declines the input, which then counts as refused. */
  isDeclined?: (value: unknown) => boolean
}

/** Calls an operation with the session of the test's browser. */
export async function callOperation(
  { services, ids }: Browser,
  operation: TestedOperation,
  input: object,
): Promise<Outcome<unknown>> {
  const callers = await loadSessionCallers(services, ids, visitor())
  return perform(services, operation as Operation<unknown, unknown>, input, callers)
}

/**
 * Expects that page and operation refuse each refused value by its field, and that the operation finds no invalid field
 * in the form without such a value.
 */
export async function expectBothRefuse(
  browser: Browser,
  path: string,
  operation: TestedOperation,
  { form, input = {}, names = {}, ...sent }: FormCase,
) {
  const operationInput = (fields: Form) => {
    const renamed = Object.entries(fields).map(([name, value]) => [name in names ? names[name] : name, value] as const)
    return { ...input, ...Object.fromEntries(renamed.filter(([name]) => name !== null)) }
  }
  const postToPage = async (fields: Form) => {
    const { status, data } = await browser.post(path, fields)
    return { status, fields: Object.keys(data?.fields ?? {}) }
  }
  const cases = Object.entries(sent.refusedValues).flatMap(([field, values]) =>
    values.map((value) => [field, value] as const),
  )
  for (const [field, value] of cases) {
    const fields = { ...form, [field]: value }
    const label = `${path}: ${field} '${value}'`
    expect(await postToPage(fields), label).toEqual({ status: 400, fields: [field] })
    const outcome = await callOperation(browser, operation, operationInput(fields))
    if (outcome.ok) expect(sent.isDeclined?.(outcome.value), `${label} to ${operation.name}`).toBe(true)
    else expect([outcome.status, Object.keys(outcome.fields ?? {})], label).toEqual([400, [names[field] ?? field]])
  }
  const outcome = await callOperation(browser, operation, operationInput(form))
  if (!outcome.ok) expect([outcome.status, outcome.fields], operation.name).not.toEqual([400, expect.anything()])
}

/** Matches calls of the functions that check a form in a page's action. */
const checks = /\b(validate|validateFields|saveStepForm|signRentalLease|lookUp|proveCode|check)\(/

/**
 * Finds pages whose action checks a form, in the folders of `app/` that match `folders`, or with `inside` false in all
 * others.
 */
export const checkingPages = (folders: RegExp, inside: boolean): string[] =>
  sourcesOf('app')
    .filter(({ path }) => !/\.test\.tsx?$/.test(path) && folders.test(path) === inside)
    .filter(({ text }) => /export (const|async function) action\b/.test(text) && checks.test(text))
    .map(({ path }) => path)
    .sort()
