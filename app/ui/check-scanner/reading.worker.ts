/** Reads pictures in a worker, so that the page stays responsive. */
import { readLine } from './micr-line.ts'
import type { GrayImage } from './picture.ts'

self.onmessage = ({ data }: MessageEvent<{ id: number; picture: GrayImage }>) =>
  self.postMessage({ id: data.id, line: readLine(data.picture) })
