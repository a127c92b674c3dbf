import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SlowBodies } from './limit-concurrent-requests.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }))
afterEach(() => void vi.useRealTimers())

const bounds = { promptMs: 1000, flowingBytes: 100, maxSlowPerSender: 2, maxSlow: 3 }

function sender(arrivals: SlowBodies, from: string | null) {
  const request = Object.assign(new EventEmitter(), { complete: false, socket: { bytesRead: 0 } })
  const calls = { read: 0, refused: 0 }
  const answered = arrivals.begin(request as unknown as IncomingMessage, from, {
    read() {
      calls.read += 1
    },
    refuse() {
      calls.refused += 1
    },
  })
  return { calls, answered, request, sendsTheRest: () => request.emit('end') }
}

it('a body counts until it is read, and then its request is processed', () => {
  const arrivals = new SlowBodies(bounds)
  const first = sender(arrivals, 'a')
  const second = sender(arrivals, 'b')
  expect(arrivals.prompt).toBe(2)
  first.sendsTheRest()
  expect([arrivals.prompt, first.calls.read, second.calls.read]).toEqual([1, 1, 0])
  first.answered()
  second.answered()
  second.sendsTheRest()
  expect([arrivals.prompt, second.calls.read]).toEqual([0, 0])
})

it('few slow bodies may wait per address and in total; none of them takes capacity', () => {
  const arrivals = new SlowBodies(bounds)
  const fromOne = Array.from({ length: 200 }, () => sender(arrivals, 'one'))
  vi.advanceTimersByTime(999)
  expect(arrivals.prompt).toBe(200)
  vi.advanceTimersByTime(2)
  expect(arrivals.prompt).toBe(0)
  expect(fromOne.filter(({ calls }) => calls.refused === 1)).toHaveLength(198)
  const other = sender(arrivals, 'other')
  const another = sender(arrivals, 'another')
  vi.advanceTimersByTime(1001)
  expect([other.calls.refused, another.calls.refused]).toEqual([0, 1])
  fromOne[0]?.sendsTheRest()
  expect(fromOne[0]?.calls).toEqual({ read: 1, refused: 0 })
  fromOne[1]?.answered()
  const later = [sender(arrivals, 'one'), sender(arrivals, 'one')]
  vi.advanceTimersByTime(1001)
  expect(later.map(({ calls }) => calls.refused)).toEqual([0, 0])
})

it('slow bodies of visitors who appear to have one address are limited in total only', () => {
  const arrivals = new SlowBodies(bounds)
  const visitors = Array.from({ length: 4 }, () => sender(arrivals, null))
  vi.advanceTimersByTime(1001)
  expect(visitors.map(({ calls }) => calls.refused)).toEqual([0, 0, 0, 1])
})

it('a complete body that waits for the server is not slow', () => {
  const arrivals = new SlowBodies({ ...bounds, maxSlow: 0 })
  const { request, calls, sendsTheRest } = sender(arrivals, 'one')
  request.complete = true
  vi.advanceTimersByTime(5000)
  sendsTheRest()
  expect(calls).toEqual({ read: 1, refused: 0 })
})

it('a long body that keeps arriving is not slow, until it stops', () => {
  const arrivals = new SlowBodies({ ...bounds, maxSlow: 0 })
  const { request, calls } = sender(arrivals, 'one')
  for (let second = 1; second <= 5; second += 1) {
    request.socket.bytesRead += 100
    vi.advanceTimersByTime(1001)
    expect([arrivals.prompt, calls.refused]).toEqual([1, 0])
  }
  vi.advanceTimersByTime(1001)
  expect([arrivals.prompt, calls.refused]).toEqual([0, 1])
})
