import type { CheckLine } from './micr-line.ts'
import type { GrayImage } from './picture.ts'
import { type CheckNumbers, readCheque } from './scanned-check.ts'

export interface CheckReading {
  read: CheckNumbers
  line: GrayImage
}

export interface Reader {
  /**
   * Reads a picture.
   * @returns null when the numbers cannot be read
   * @throws when the worker has failed
   */
  read(picture: GrayImage): Promise<CheckReading | null>
  end(): void
}

export function startReader(): Reader {
  const worker = new Worker(new URL('./reading.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { resolve(found: CheckReading | null): void; reject(error: unknown): void }>()
  let asked = 0
  worker.onmessage = ({ data }: MessageEvent<{ id: number; line: CheckLine | null }>) => {
    const { id, line } = data
    const read = line && readCheque(line.text, line.confidence)
    waiting.get(id)?.resolve(read ? { read, line: line.picture } : null)
    waiting.delete(id)
  }
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message))
    waiting.clear()
  }
  return {
    read: (picture) =>
      new Promise((resolve, reject) => {
        asked += 1
        waiting.set(asked, { resolve, reject })
        worker.postMessage({ id: asked, picture })
      }),
    end: () => worker.terminate(),
  }
}
