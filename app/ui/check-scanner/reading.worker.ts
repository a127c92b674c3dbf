/** Reads pictures in a worker, so that the page stays responsive. */

import type { GrayImage } from './filter-and-judge-check-picture.ts'
import { readLine } from './recognize-micr-line.ts'

self.onmessage = ({ data }: MessageEvent<{ id: number; picture: GrayImage }>) =>
  self.postMessage({ id: data.id, line: readLine(data.picture) })
