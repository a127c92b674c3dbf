import type { GrayImage } from './filter-and-judge-check-picture.ts'
import { type CheckNumbers, readCheck } from './parse-check-numbers.ts'
import type { CheckLine } from './recognize-micr-line.ts'

export interface CheckReading {
  numbers: CheckNumbers
  line: GrayImage
}

export interface Reader {
  /**
   * Reads a picture.
   * @returns null when the numbers cannot be read, or when `end` is called before the result
   * @throws when the worker could not be loaded or has failed
   */
  read(picture: GrayImage): Promise<CheckReading | null>
  end(): void
}

export function startReader(): Reader {
  const worker = new Worker(new URL('./reading.worker.ts', import.meta.url), { type: 'module' })
  const pendingReadings = new Map<
    number,
    { resolve(reading: CheckReading | null): void; reject(error: unknown): void }
  >()
  let lastId = 0
  let failure: Error | null = null
  worker.onmessage = ({ data }: MessageEvent<{ id: number; line: CheckLine | null }>) => {
    const { id, line } = data
    const numbers = line && readCheck(line.text, line.confidence)
    pendingReadings.get(id)?.resolve(numbers ? { numbers, line: line.picture } : null)
    pendingReadings.delete(id)
  }
  worker.onerror = (event) => {
    failure = new Error(event.message)
    for (const { reject } of pendingReadings.values()) reject(failure)
    pendingReadings.clear()
  }
  return {
    read: (picture) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        lastId += 1
        pendingReadings.set(lastId, { resolve, reject })
        worker.postMessage({ id: lastId, picture })
      }),
    end() {
      worker.terminate()
      for (const { resolve } of pendingReadings.values()) resolve(null)
      pendingReadings.clear()
    },
  }
}
