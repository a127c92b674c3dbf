import { expect, it } from 'vitest'
import { rereadWhenStale } from './submit.ts'

it('a page is read again after the refusal that says it is stale, and after no other', () => {
  // As the router asks: after a refusal it would read nothing by itself, after anything else everything.
  expect(rereadWhenStale({ actionStatus: 409, defaultShouldRevalidate: false })).toBe(true)
  for (const actionStatus of [400, 503])
    expect(rereadWhenStale({ actionStatus, defaultShouldRevalidate: false })).toBe(false)
  expect(rereadWhenStale({ actionStatus: 200, defaultShouldRevalidate: true })).toBe(true)
  expect(rereadWhenStale({ defaultShouldRevalidate: true })).toBe(true)
})
