import { describe, expect, it } from 'vitest'
import { streamOf } from './stream-download.ts'

describe('A streamed file', () => {
  it('yields to other work between chunks, even if producing them never waits', async () => {
    let made = 0
    async function* pieces() {
      for (; made < 20; made += 1) yield `${made}\n`
    }
    const seen: number[] = []
    const looking = setInterval(() => seen.push(made), 0)
    const text = await new Response(streamOf(pieces())).text()
    clearInterval(looking)
    expect(text).toBe(Array.from({ length: 20 }, (_, index) => `${index}\n`).join(''))
    expect(seen.filter((one) => one > 0 && one < 20).length).toBeGreaterThan(0)
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
    const said: unknown[] = []
    async function* pieces() {
      yield 'begun'
      throw new Error('no more')
    }
    await expect(new Response(streamOf(pieces(), (error) => said.push(error))).text()).rejects.toThrow('no more')
    expect(said).toHaveLength(1)
  })
})
