import { describe, expect, it } from 'vitest'
import { streamOf } from './throttled-download-stream.ts'

describe('A streamed file', () => {
  it('yields to other work between chunks, even if producing them never waits', async () => {
    let produced = 0
    async function* pieces() {
      for (; produced < 20; produced += 1) yield `${produced}\n`
    }
    const counts: number[] = []
    const timer = setInterval(() => counts.push(produced), 0)
    const text = await new Response(streamOf(pieces())).text()
    clearInterval(timer)
    expect(text).toBe(Array.from({ length: 20 }, (_, index) => `${index}\n`).join(''))
    expect(counts.filter((count) => count > 0 && count < 20).length).toBeGreaterThan(0)
  })

  it('stops its producer when the reader leaves', async () => {
    let ended = false
    async function* pieces() {
      try {
        for (;;) yield 'more'
      } finally {
        ended = true
      }
    }
    const reader = streamOf(pieces()).getReader()
    await reader.read()
    await reader.cancel()
    expect(ended).toBe(true)
  })

  it('aborts on failure and reports the reason', async () => {
    const errors: unknown[] = []
    async function* pieces() {
      yield 'begun'
      throw new Error('no more')
    }
    await expect(new Response(streamOf(pieces(), (error) => errors.push(error))).text()).rejects.toThrow('no more')
    expect(errors).toHaveLength(1)
  })
})
