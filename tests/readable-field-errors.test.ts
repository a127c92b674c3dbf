import * as v from 'valibot'
import { expect, it } from 'vitest'
import { fieldMessages } from '../platform/operations/outcome.ts'
import { everyOperation } from './parse-wire-specification.ts'

const invalidValues = ['abc', '', '?', 'x'.repeat(400), -1, null, {}, [], true]

it.each(everyOperation.map((operation) => [operation.name, operation] as const))('%s', (_, { input }) => {
  const entries = (input as unknown as { entries?: Record<string, unknown> }).entries ?? {}
  for (const value of invalidValues) {
    const parsed = v.safeParse(input, Object.fromEntries(Object.keys(entries).map((name) => [name, value])))
    const messages = parsed.success ? {} : fieldMessages(parsed.issues)
    for (const [field, message] of Object.entries(messages))
      expect([field, message]).toEqual([field, expect.not.stringMatching(/\/\^|\$\/|\\d/)])
  }
})
