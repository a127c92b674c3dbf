import { expect, it } from 'vitest'
import { yieldToRequests } from './schedule.ts'

it('lets requests go on while there are many, and goes on when there are few, after a moment, or when mail is late', async () => {
  const crowd = [9, 9, 5, 4]
  await yieldToRequests(() => crowd.shift() ?? 0, 0)
  expect(crowd).toEqual([])

  let looks = 0
  const always = () => {
    looks += 1
    return 200
  }
  await yieldToRequests(always, 30_000)
  expect(looks).toBe(50)
  await yieldToRequests(always, 30_001)
  expect(looks).toBe(50)
})
