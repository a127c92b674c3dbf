/** Makes a map's layer movable: drag, pinch, buttons and keys; one layer is transformed, nothing in it is touched. */
import Panzoom from '@panzoom/panzoom'

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

export function movableMap(frame: HTMLElement, layer: HTMLElement): MovableMap {
  const picture = layer.querySelector('svg')
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const panzoom = Panzoom(layer, {
    maxScale: 8,
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
  frame.classList.add('is-movable')
  frame.scrollTo(0, 0)
  const zoomed = () => {
    const scale = panzoom.getScale()
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
      const mine = frame.querySelector('.map-mine')?.getBoundingClientRect()
      if (!mine) return
      panzoom.zoom(NEAR, { animate: false })
      const moved = frame.querySelector('.map-mine')!.getBoundingClientRect()
      const seen = frame.getBoundingClientRect()
      const scale = panzoom.getScale()
      panzoom.pan(
        (seen.left + seen.width / 2 - moved.left - moved.width / 2) / scale,
        (seen.top + seen.height / 2 - moved.top - moved.height / 2) / scale,
        { relative: true },
      )
    },
    reset() {
      quarter = 0
      if (picture) picture.style.transform = ''
      panzoom.reset()
    },
    end() {
      for (const event of ['panzoomzoom', 'panzoomreset']) layer.removeEventListener(event, zoomed)
      frame.removeEventListener('wheel', onWheel)
      frame.removeEventListener('keydown', onKey)
      frame.classList.remove('is-movable', 'shows-labels')
      panzoom.destroy()
      panzoom.resetStyle()
    },
  }
  zoomed()
  return map
}
