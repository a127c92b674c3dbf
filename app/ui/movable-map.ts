/** Makes a map's layer movable: drag, pinch, buttons and keys; one layer is transformed, nothing in it is touched. */
import Panzoom from '@panzoom/panzoom'
import { nearView, type ScreenBox } from './floor-picture.ts'

export interface MovableMap {
  zoomIn(): void
  zoomOut(): void
  /** By a quarter. */
  turn(): void
  /** One's own unit into the middle, near enough to read its neighbors. */
  showMine(): void
  reset(): void
  end(): void
}

/** Labels of units appear above this zoom (spec 2 §4). */
const LABELS_ABOVE = 2
const NEAR = 3
/** Narrower than this, a frame is a phone's: the whole floor in it is too small to be read. */
const PHONE = 600
/** Names of what is not let (Gate, Elevator) are never smaller than this, in pixels: one finds one's way by them. */
const LEAST_NAME = 9

export function movableMap(frame: HTMLElement, layer: HTMLElement): MovableMap {
  const picture = layer.querySelector('svg')
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const panzoom = Panzoom(layer, {
    // A floor of thousands of units has to come this near on a phone before a number can be read.
    maxScale: 24,
    minScale: 1,
    step: 0.4,
    animate: !calm,
    duration: 180,
    canvas: true,
    // The page scrolls by the finger until the map is zoomed into.
    touchAction: 'pan-y',
    panOnlyWhenZoomed: false,
  })
  let quarter = 0
  let showing: ReturnType<typeof setTimeout> | undefined
  frame.classList.add('is-movable')
  frame.scrollTo(0, 0)
  const names = [...layer.querySelectorAll<SVGTextElement>('.map-fixtures text')].map((text) => ({
    text,
    size: Number(text.getAttribute('font-size')),
  }))
  /** Pixels that a foot takes up now; turned or not. */
  const pixels = () => {
    const matrix = picture?.getScreenCTM()
    return matrix ? Math.hypot(matrix.a, matrix.b) : 1
  }
  const zoomed = () => {
    const scale = panzoom.getScale()
    const least = LEAST_NAME / pixels()
    for (const { text, size } of names) text.style.fontSize = `${Math.max(size, least)}px`
    frame.classList.toggle('shows-labels', scale > LABELS_ABOVE)
    layer.style.touchAction = scale > 1 ? 'none' : 'pan-y'
  }
  const onWheel = (event: WheelEvent) => {
    // A wheel alone scrolls the page; with Ctrl, or pinched on a trackpad, it zooms.
    if (event.ctrlKey || event.metaKey) panzoom.zoomWithWheel(event)
  }
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [60, 0],
    ArrowRight: [-60, 0],
    ArrowUp: [0, 60],
    ArrowDown: [0, -60],
  }
  const onKey = (event: KeyboardEvent) => {
    const move = moves[event.key]
    const scale = panzoom.getScale()
    if (move && scale > 1) panzoom.pan(move[0] / scale, move[1] / scale, { relative: true })
    else if (event.key === '+' || event.key === '=') panzoom.zoomIn()
    else if (event.key === '-') panzoom.zoomOut()
    else if (event.key === '0') map.reset()
    else return
    event.preventDefault()
  }
  // Going back to the whole floor is an event of its own.
  for (const event of ['panzoomzoom', 'panzoomreset']) layer.addEventListener(event, zoomed)
  frame.addEventListener('wheel', onWheel, { passive: false })
  frame.addEventListener('keydown', onKey)
  const map: MovableMap = {
    zoomIn: () => void panzoom.zoomIn(),
    zoomOut: () => void panzoom.zoomOut(),
    turn() {
      quarter = (quarter + 1) % 4
      if (picture) picture.style.transform = `rotate(${quarter * 90}deg)`
    },
    showMine() {
      const seen = frame.getBoundingClientRect()
      const [middle, centre] = [seen.left + seen.width / 2, seen.top + seen.height / 2]
      // Where things stand on the whole floor: the map scales about the frame's middle, and moves before it scales.
      const [now, pan] = [panzoom.getScale(), panzoom.getPan()]
      const onFloor = (unit: Element): ScreenBox => {
        const box = unit.getBoundingClientRect()
        const [left, top] = [middle + (box.left - middle) / now - pan.x, centre + (box.top - centre) / now - pan.y]
        return { left, top, width: box.width / now, height: box.height / now }
      }
      const [first, ...others] = [...frame.querySelectorAll('.map-mine > g')].map(onFloor)
      if (!first) return
      const numbers = [...frame.querySelectorAll('.map-mine > text')]
      const letter = Math.min(...numbers.map((text) => Number(text.getAttribute('font-size')))) * (pixels() / now)
      const { scale, at } = nearView([first, ...others], letter, seen, NEAR)
      panzoom.zoom(scale, { animate: false })
      panzoom.pan(middle - at.left - at.width / 2, centre - at.top - at.height / 2, { animate: false })
    },
    reset() {
      quarter = 0
      if (picture) picture.style.transform = ''
      panzoom.reset()
    },
    end() {
      clearTimeout(showing)
      for (const event of ['panzoomzoom', 'panzoomreset']) layer.removeEventListener(event, zoomed)
      frame.removeEventListener('wheel', onWheel)
      frame.removeEventListener('keydown', onKey)
      frame.classList.remove('is-movable', 'shows-labels')
      panzoom.destroy()
      panzoom.resetStyle()
    },
  }
  zoomed()
  // Panzoom puts a new map into its place a turn later, which would undo this.
  if (frame.clientWidth < PHONE) showing = setTimeout(map.showMine)
  return map
}
