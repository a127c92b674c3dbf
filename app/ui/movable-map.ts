import Panzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { SIGN_HEIGHT_FEET } from './building-walls-and-signs.ts'
import { type FloorBox, MIN_LETTER_PX } from './floor-plan-svg.ts'

export type MovableMap = ReturnType<typeof movableMap>

/** Zoom above which unit labels appear (spec 2 §4). */
const LABELS_ABOVE = 2
/** Frame width below which a map is a phone's, in pixels. A whole floor is too small to read there. */
const PHONE = 600
/** Letter height of signs in pixels: legible when zoomed out, without covering units when zoomed in. */
const SIGN_PIXELS = { least: 11.5, most: 15 }

type Move = [x: number, y: number]
const arrows: Record<string, Move> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
}

const createPanzoom = (layer: HTMLElement): PanzoomObject =>
  Panzoom(layer, {
    // A phone needs this zoom to show readable numbers on a floor of thousands of units.
    maxScale: 24,
    minScale: 1,
    step: 0.4,
    animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    duration: 180,
    canvas: true,
    // A finger scrolls the page until the map is zoomed.
    touchAction: 'pan-y',
    panOnlyWhenZoomed: false,
  })

const fontSizeOf = (text: Element) => Number(text.getAttribute('font-size'))

/**
 * Zooms so that a part of the floor fills the frame.
 * @param pixelsPerFoot pixels per foot while the whole floor is shown
 */
function showPart(
  part: FloorBox,
  floor: SVGRect,
  panzoom: PanzoomObject,
  pixelsPerFoot: number,
  frame: HTMLElement,
): void {
  const [left, top, width, height] = part
  const scale = Math.min(frame.clientWidth / (width * pixelsPerFoot), frame.clientHeight / (height * pixelsPerFoot))
  panzoom.zoom(scale, { animate: false })
  const x = floor.x + floor.width / 2 - left - width / 2
  const y = floor.y + floor.height / 2 - top - height / 2
  panzoom.pan(x * pixelsPerFoot, y * pixelsPerFoot, { animate: false })
}

/**
 * Keeps the letter height of signs within SIGN_PIXELS while the map zooms. A sign that would overlap an earlier one
 * shows only its pictogram, if it has one.
 */
function setSigns(signs: readonly SVGGElement[], pixelsPerFoot: number, floor: SVGRect): void {
  const feet = Math.min(Math.max(SIGN_HEIGHT_FEET, SIGN_PIXELS.least / pixelsPerFoot), SIGN_PIXELS.most / pixelsPerFoot)
  const placed: { x: number; y: number; reach: number }[] = []
  for (const sign of signs) {
    const translation = sign.transform.baseVal.getItem(0)
    const size = sign.transform.baseVal.getItem(1)
    const reach = (Number(sign.dataset.width) * feet) / 20
    // Keeps names inside the picture.
    const x = Math.max(floor.x + reach, Math.min(floor.x + floor.width - reach, Number(sign.dataset.x)))
    const box = { x, y: translation.matrix.f, reach }
    translation.setTranslate(x, box.y)
    size.setScale(feet / 10, feet / 10)
    const short =
      sign.querySelector('.map-sign-icon') !== null &&
      placed.some(
        (other) => Math.abs(other.x - box.x) < other.reach + box.reach && Math.abs(other.y - box.y) < 1.9 * feet,
      )
    sign.classList.toggle('is-short', short)
    placed.push(short ? { ...box, reach: feet } : box)
  }
}

/** Hides numbers too small to read. The tenant's only unit on the floor keeps its number at any zoom. */
function setNumbers(layer: HTMLElement, pixelsPerFoot: number): void {
  for (const group of layer.querySelectorAll('.map-labels > g'))
    group.setAttribute('visibility', fontSizeOf(group) * pixelsPerFoot < MIN_LETTER_PX ? 'hidden' : 'visible')
  const own = [...layer.querySelectorAll<SVGTextElement>('.map-mine > text')]
  for (const text of own) {
    const small = fontSizeOf(text) * pixelsPerFoot < MIN_LETTER_PX
    text.setAttribute('visibility', small && own.length > 1 ? 'hidden' : 'visible')
    text.style.fontSize = `${small ? MIN_LETTER_PX / pixelsPerFoot : fontSizeOf(text)}px`
  }
}

/**
 * Lets the user move and zoom a map by drag, pinch, buttons and keys.
 * @param own part of the floor that `showMine` shows, with the tenant's units or the way toward them; null for none
 * @param framed true to show that part first, as is always done on a phone
 */
export function movableMap(
  frame: HTMLElement,
  layer: HTMLElement,
  { own, framed }: { own: FloorBox | null; framed: boolean },
) {
  frame.classList.add('is-movable')
  frame.scrollTo(0, 0)
  const picture = layer.querySelector('svg') as SVGSVGElement
  const panzoom = createPanzoom(layer)
  const listeners = new AbortController()
  const { signal } = listeners
  const reset = () => void panzoom.reset()
  const signs = [...layer.querySelectorAll<SVGGElement>('.map-sign')]
  const floor = picture.viewBox.baseVal
  // Pixels per foot of the unscaled floor, from the picture's layout size, which transforms do not affect.
  const measureUnscaled = () => Math.min(picture.clientWidth / floor.width, picture.clientHeight / floor.height)
  let unscaled = measureUnscaled()
  const position = () => `${panzoom.getScale()} ${panzoom.getPan().x} ${panzoom.getPan().y}`
  let positionOfMine = ''
  const showMine = () => {
    if (!own) return
    showPart(own, floor, panzoom, unscaled, frame)
    positionOfMine = position()
  }
  const updateZoom = () => {
    const scale = panzoom.getScale()
    setSigns(signs, unscaled * scale, floor)
    setNumbers(layer, unscaled * scale)
    frame.classList.toggle('shows-labels', scale > LABELS_ABOVE)
    layer.style.touchAction = scale > 1 ? 'none' : 'pan-y'
  }
  // When the frame's size changes, as on a turned phone, the part that `showMine` showed stays in view if the map has
  // not been moved since. Otherwise the middle of the view stays in the middle.
  const resizeObserver = new ResizeObserver(() => {
    const previous = unscaled
    const { x, y } = panzoom.getPan()
    const current = measureUnscaled()
    if (current === 0) return
    const isMineShown = position() === positionOfMine
    unscaled = current
    if (isMineShown) showMine()
    else if (previous > 0) panzoom.pan((x * current) / previous, (y * current) / previous, { animate: false })
    updateZoom()
  })
  resizeObserver.observe(frame)
  // The wheel alone scrolls the page; with Ctrl or Cmd it zooms. Most browsers report a trackpad pinch as a wheel with Ctrl.
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
  for (const event of ['panzoomzoom', 'panzoomreset']) layer.addEventListener(event, updateZoom, { signal })
  frame.addEventListener('wheel', onWheel, { passive: false, signal })
  frame.addEventListener('keydown', onKey, { signal })
  updateZoom()
  // Panzoom positions a new map one turn of the event loop later, which would undo `showMine`.
  const showTimer = framed || frame.clientWidth < PHONE ? setTimeout(showMine) : undefined
  return {
    zoomIn: () => void panzoom.zoomIn(),
    zoomOut: () => void panzoom.zoomOut(),
    showMine,
    reset,
    end() {
      clearTimeout(showTimer)
      listeners.abort()
      resizeObserver.disconnect()
      frame.classList.remove('is-movable', 'shows-labels')
      panzoom.destroy()
      panzoom.resetStyle()
    },
  }
}
