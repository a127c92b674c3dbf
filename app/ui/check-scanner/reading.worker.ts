/** Reads pictures in a worker, so that the page stays responsive. */
import { readLine } from './line.ts'
import type { Gray } from './picture.ts'

self.onmessage = ({ data }: MessageEvent<{ id: number; picture: Gray }>) =>
  self.postMessage({ id: data.id, line: readLine(data.picture) })
