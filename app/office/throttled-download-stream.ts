import { setTimeout as pause } from 'node:timers/promises'

const encoder = new TextEncoder()

/**
 * Pause after each piece of a download, as a multiple of the thread's CPU time while the piece was made, so that pages
 * go first. With pieces of up to 25 ms, a download takes at most a fifth of the thread's time; longer pieces take more.
 */
const REST_FACTOR = 4
const MAX_REST_MS = 100

const threadMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/**
 * Streams pieces no faster than the client reads them, so that a slow client fills no memory.
 * @param onError called when a piece fails; the download then breaks off
 */
export const streamOf = (
  pieces: AsyncGenerator<string | Uint8Array>,
  onError: (error: unknown) => void = () => {},
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const usageAtStart = process.threadCpuUsage()
      try {
        const { done, value } = await pieces.next()
        if (done) return controller.close()
        controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        await pause(Math.min(REST_FACTOR * threadMs(usageAtStart), MAX_REST_MS))
      } catch (error) {
        onError(error)
        controller.error(error)
      }
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
