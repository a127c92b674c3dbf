import Panzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { nearView, type ScreenBox } from './floor-picture.ts'

export type MovableMap = ReturnType<typeof movableMap>

/** Labels of units appear above this zoom (spec 2 §4). */
const LABELS_ABOVE = 2
const NEAR = 3
/** Narrower than this, a frame is a phone's: the whole floor in it is too small to be read. */
const PHONE = 600
/** Pixels: fixtures (Gate, Elevator) are what one finds the way by. */
const LEAST_NAME = 9

type Move = [x: number, y: number]
const arrows: Record<string, Move> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
}

const panzoomOn = (layer: HTMLElement): PanzoomObject =>
  Panzoom(layer, {
    // A floor of thousands of units has to come this near on a phone before a number can be read.
    maxScale: 24,
    minScale: 1,
    step: 0.4,
    animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    duration: 180,
    canvas: true,
    // The page scrolls by the finger until the map is zoomed into.
    touchAction: 'pan-y',
    panOnlyWhenZoomed: false,
  })

const fontSizeOf = (text: Element) => Number(text.getAttribute('font-size'))

/** Brings one's own units into the middle, near enough to read their numbers. @param foot pixels of a foot now */
function showOwn(frame: HTMLElement, panzoom: PanzoomObject, foot: number): void {
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
  const letter = Math.min(...[...frame.querySelectorAll('.map-mine > text')].map(fontSizeOf)) * (foot / now)
  const { scale, at } = nearView([first, ...others], letter, seen, NEAR)
  panzoom.zoom(scale, { animate: false })
  panzoom.pan(middle - at.left - at.width / 2, centre - at.top - at.height / 2, { animate: false })
}

/** Drag, pinch, buttons and keys: the layer alone is transformed, nothing in it is touched. */
export function movableMap(frame: HTMLElement, layer: HTMLElement) {
  const picture = layer.querySelector('svg')
  const panzoom = panzoomOn(layer)
  const ended = new AbortController()
  const { signal } = ended
  let quarter = 0
  const turnTo = (quarters: number) => {
    quarter = quarters % 4
    if (picture) picture.style.transform = quarter === 0 ? '' : `rotate(${quarter * 90}deg)`
  }
  const footInPixels = () => {
    const matrix = picture?.getScreenCTM()
    return matrix ? Math.hypot(matrix.a, matrix.b) : 1
  }
  const showMine = () => showOwn(frame, panzoom, footInPixels())
  const reset = () => {
    turnTo(0)
    panzoom.reset()
  }
  const names = [...layer.querySelectorAll<SVGTextElement>('.map-fixtures text')]
  const zoomed = () => {
    const scale = panzoom.getScale()
    const least = LEAST_NAME / footInPixels()
    for (const text of names) text.style.fontSize = `${Math.max(fontSizeOf(text), least)}px`
    frame.classList.toggle('shows-labels', scale > LABELS_ABOVE)
    layer.style.touchAction = scale > 1 ? 'none' : 'pan-y'
  }
  // A wheel alone scrolls the page; with Ctrl, or pinched on a trackpad, it zooms.
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) panzoom.zoomWithWheel(event)
  }
  const keys: Record<string, () => void> = {
    '+': panzoom.zoomIn,
    '=': panzoom.zoomIn,
    '-': panzoom.zoomOut,
    '0': reset,
  }
  const onKey = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    const scale = panzoom.getScale()
    if (arrow && scale > 1) panzoom.pan(arrow[0] / scale, arrow[1] / scale, { relative: true })
    else if (keys[event.key]) keys[event.key]?.()
    else return
    event.preventDefault()
  }
  frame.classList.add('is-movable')
  frame.scrollTo(0, 0)
  for (const event of ['panzoomzoom', 'panzoomreset']) layer.addEventListener(event, zoomed, { signal })
  frame.addEventListener('wheel', onWheel, { passive: false, signal })
  frame.addEventListener('keydown', onKey, { signal })
  zoomed()
  // Panzoom puts a new map into its place a turn later, which would undo this.
  const showing = frame.clientWidth < PHONE ? setTimeout(showMine) : undefined
  return {
    zoomIn: () => void panzoom.zoomIn(),
    zoomOut: () => void panzoom.zoomOut(),
    turn: () => turnTo(quarter + 1),
    showMine,
    reset,
    end() {
      clearTimeout(showing)
      ended.abort()
      frame.classList.remove('is-movable', 'shows-labels')
      panzoom.destroy()
      panzoom.resetStyle()
    },
  }
}
