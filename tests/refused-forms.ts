/** Forms that a page refuses, sent to the page and to the operation behind it. */
import { expect } from 'vitest'
import type { Browser } from '../app/testing.ts'
import { type InternalOperation, type Operation, perform } from '../platform/operations/operation.ts'
import type { Outcome } from '../platform/operations/outcome.ts'
import { callersOf } from '../server/web/callers.ts'
import { sourcesOf } from './structure.ts'
import { visitor } from './support/small-operator.ts'

export type Form = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: operations of every input are called alike
type Asked = Operation<any, any> | InternalOperation<any, any>

export interface Sent {
  /** The form as it is accepted. */
  form: Form
  /** What is said to the operation beside the form's fields. */
  input?: Record<string, unknown>
  /** The operation's names of the form's fields, where they are others; null: known to the form alone. */
  names?: Record<string, string | null>
  /** Fields with values that the page refuses. */
  wrong: Record<string, string[]>
  /** What the operation answers without being refused. */
  declined?: (value: unknown) => boolean
}

export async function called({ services, ids }: Browser, asked: Asked, input: object): Promise<Outcome<unknown>> {
  const callers = await callersOf(services, ids, visitor())
  return perform(services, asked as Operation<unknown, unknown>, input, callers)
}

/** Expects that page and operation refuse each wrong value by its field, and the operation nothing else. */
export async function both(
  browser: Browser,
  path: string,
  asked: Asked,
  { form, input = {}, names = {}, ...sent }: Sent,
) {
  const told = (fields: Form) => {
    const named = Object.entries(fields).map(([name, value]) => [name in names ? names[name] : name, value] as const)
    return { ...input, ...Object.fromEntries(named.filter(([name]) => name !== null)) }
  }
  const page = async (fields: Form) => {
    const { status, data } = await browser.post(path, fields)
    return { status, fields: Object.keys(data?.fields ?? {}) }
  }
  const wrong = Object.entries(sent.wrong).flatMap(([field, values]) => values.map((value) => [field, value] as const))
  for (const [field, value] of wrong) {
    const fields = { ...form, [field]: value }
    const label = `${path}: ${field} '${value}'`
    expect(await page(fields), label).toEqual({ status: 400, fields: [field] })
    const outcome = await called(browser, asked, told(fields))
    if (outcome.ok) expect(sent.declined?.(outcome.value), `${label} to ${asked.name}`).toBe(true)
    else expect([outcome.status, Object.keys(outcome.fields ?? {})], label).toEqual([400, [names[field] ?? field]])
  }
  const right = await called(browser, asked, told(form))
  if (!right.ok) expect([right.status, right.fields], asked.name).not.toEqual([400, expect.anything()])
}

/** How a page checks what a form says. */
const checks = /\b(validate|faultsOf|takeAnswers|readSignature|lookUp|proveCode|check)\(/

/** Finds the pages whose action checks a form, in these folders of `app/` or in all others. */
export const checkingPages = (folders: RegExp, inside: boolean): string[] =>
  sourcesOf('app')
    .filter(({ path }) => !/\.test\.tsx?$/.test(path) && folders.test(path) === inside)
    .filter(({ text }) => /export (const|async function) action\b/.test(text) && checks.test(text))
    .map(({ path }) => path)
    .sort()
