import { renderToStaticMarkup } from 'react-dom/server'
import { drawingOf, UnitDrawing } from '../ui/unit-drawing/unit-drawing.tsx'

const made = new Map<string, string>()
/** Maximum number of cached drawings. An operator has some dozens of sizes; guessed addresses must not fill the memory. */
const most = 300

export function unitDrawing(name: string): string | null {
  const known = made.get(name)
  if (known !== undefined) return known
  const size = drawingOf(name)
  if (!size) return null
  const svg = renderToStaticMarkup(<UnitDrawing {...size} label="" />)
  if (made.size < most) made.set(name, svg)
  return svg
}
