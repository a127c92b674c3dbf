import { setTimeout as pause } from 'node:timers/promises'

const encoder = new TextEncoder()

/**
 * Pause after each piece of a download, as a multiple of the piece's CPU time, so that pages go first. With pieces of
 * up to 25 ms, a download takes at most a fifth of the process; `LONGEST_REST_MS` limits the pause.
 */
const REST = 4
const LONGEST_REST_MS = 100

const threadMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/**
 * Streams pieces as fast as the client reads them, so that a slow client fills no memory.
 * @param failed called when a piece fails; the download then breaks off
 */
export const streamOf = (
  pieces: AsyncGenerator<string | Uint8Array>,
  failed: (error: unknown) => void = () => {},
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const began = process.threadCpuUsage()
      try {
        const { done, value } = await pieces.next()
        if (done) return controller.close()
        controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        await pause(Math.min(REST * threadMs(began), LONGEST_REST_MS))
      } catch (error) {
        failed(error)
        controller.error(error)
      }
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
