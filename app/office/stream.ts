import { setTimeout as pause } from 'node:timers/promises'

const encoder = new TextEncoder()

/** A file has a fifth of the process's time at most: pages go first, however long it is. */
const REST = 4
const LONGEST_REST_MS = 100

const threadMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/** Written no faster than it is read, so that a slow reader holds nothing here. A failure breaks the download off. */
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
