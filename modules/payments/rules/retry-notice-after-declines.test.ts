import { expect, test } from 'vitest'
import { retriesUsedUp } from './retry-notice-after-declines.ts'

test('two failed tries are the limit', () => {
  expect([0, 1, 2, 3].map(retriesUsedUp)).toEqual([false, false, true, true])
})
