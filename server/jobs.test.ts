import { expect, it } from 'vitest'
import { peopleFirst } from './jobs.ts'

it('lets requests go on while there are many, and goes on when there are few or after a moment', async () => {
  const crowd = [9, 9, 5, 4]
  await peopleFirst(() => crowd.shift() ?? 0)
  expect(crowd).toEqual([])

  let looks = 0
  await peopleFirst(() => {
    looks += 1
    return 200
  })
  expect(looks).toBe(10)
})
