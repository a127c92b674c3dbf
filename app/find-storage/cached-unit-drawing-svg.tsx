import { renderToStaticMarkup } from 'react-dom/server'
import { drawingOf, UnitDrawing } from '../ui/unit-drawing/unit-drawing.tsx'

const drawings = new Map<string, string>()
/**
 * Maximum number of cached drawings. An operator has some dozens of sizes; guessed addresses must not fill the memory.
 */
const MAX_DRAWINGS = 300

export function unitDrawing(name: string): string | null {
  const cached = drawings.get(name)
  if (cached !== undefined) return cached
  const size = drawingOf(name)
  if (!size) return null
  const svg = renderToStaticMarkup(<UnitDrawing {...size} label="" />)
  if (drawings.size < MAX_DRAWINGS) drawings.set(name, svg)
  return svg
}
