import { expect, it } from 'vitest'
import { revalidateOnConflict } from './submit-or-report-offline.ts'

it('reloads the page after a 409, and otherwise only where the router does by default', () => {
  // The router's default: reload nothing after a refusal, and everything otherwise.
  expect(revalidateOnConflict({ actionStatus: 409, defaultShouldRevalidate: false })).toBe(true)
  for (const actionStatus of [400, 503])
    expect(revalidateOnConflict({ actionStatus, defaultShouldRevalidate: false })).toBe(false)
  expect(revalidateOnConflict({ actionStatus: 200, defaultShouldRevalidate: true })).toBe(true)
  expect(revalidateOnConflict({ defaultShouldRevalidate: true })).toBe(true)
})
