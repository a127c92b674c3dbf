import {
  circleMarker,
  divIcon,
  type LayerGroup,
  latLngBounds,
  layerGroup,
  marker,
  map as openMap,
  type Map as StreetMap,
  tileLayer,
} from 'leaflet'
import { placeLabels } from './place-labels.ts'
import stylesheet from './streets.css?url'

type SentSpot = [
  lat: number,
  lng: number,
  from: number | null,
  soon: 0 | 1,
  facilities: number,
  name: string,
  href: string,
  mark: number,
]

const styled = () =>
  new Promise<void>((done, fail) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', href: stylesheet, onload: () => done(), onerror: fail })
    document.head.prepend(link)
  })

/** Streets with the drawn map's labels; the drawn one stays until the first tile has come. */
export async function showStreets(frame: HTMLElement): Promise<void> {
  const { tiles = '', here, name = '' } = frame.dataset
  const spots = spotsOf(frame)
  const hereAt = here?.split(',').map(Number) as [number, number] | undefined
  await styled()
  const box = document.createElement('div')
  box.className = 'spots-streets'
  box.setAttribute('role', 'region')
  box.setAttribute('aria-label', name)
  frame.append(box)
  const touched = matchMedia('(pointer: coarse)').matches
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = openMap(box, {
    attributionControl: false,
    // A wheel goes on moving the page, a finger until the map is zoomed into.
    dragging: !touched,
    scrollWheelZoom: false,
    fadeAnimation: !still,
    zoomAnimation: !still,
  })
  const bounds = latLngBounds(spots.map(({ at }) => at))
  if (hereAt) bounds.extend(hereAt)
  // The buttons to zoom lie at its left.
  map.fitBounds(bounds, { paddingTopLeft: [88, 40], paddingBottomRight: [48, 40], maxZoom: 14 })
  const whole = map.getZoom()
  if (hereAt) circleMarker(hereAt, { radius: 7, className: 'spots-here', interactive: false }).addTo(map)
  const labels = layerGroup().addTo(map)
  showLabels(map, labels, spots, hereAt)
  map.on('zoomend', () => {
    showLabels(map, labels, spots, hereAt)
    if (touched) map.dragging[map.getZoom() > whole ? 'enable' : 'disable']()
  })
  tileLayer(tiles, { maxZoom: 18 })
    .addTo(map)
    .once('tileload', () => replaceDrawn(frame, box))
}

const spotsOf = ({ dataset }: HTMLElement) =>
  (JSON.parse(dataset.spots ?? '[]') as SentSpot[]).map(([lat, lng, from, soon, facilities, name, href, mark]) => ({
    at: { lat, lng },
    from,
    comingSoon: soon === 1,
    facilities,
    name,
    href,
    mark,
  }))

type StreetSpot = ReturnType<typeof spotsOf>[number]

function replaceDrawn(frame: HTMLElement, box: HTMLElement) {
  const focused = frame.querySelector('.spots-drawn :focus')?.getAttribute('href')
  frame.dataset.streets = ''
  for (const drawn of frame.querySelectorAll('.spots-drawn')) drawn.remove()
  if (focused) box.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
}

/** Placed by the same rule as the drawn map's, for the zoom that it has now. */
function showLabels(map: StreetMap, labels: LayerGroup, spots: StreetSpot[], here: [number, number] | undefined) {
  const placed = placeLabels(
    spots.map((spot) => ({ ...spot, ...pixelOf(map.project(spot.at)) })),
    { here: here && pixelOf(map.project(here)) },
  )
  labels.clearLayers()
  for (const { x, y, text, spots: members } of placed) {
    const of = members.map((at) => spots[at] as StreetSpot)
    const named = of
      .slice(0, 4)
      .map(({ name }) => name)
      .join(', ')
    const link = document.createElement('a')
    link.href = of[0]?.href ?? ''
    link.className = `spot ${of.map(({ mark }) => `m${mark}`).join(' ')}`
    link.setAttribute('aria-label', `${text}, ${named}`)
    const shown = document.createElement('span')
    shown.textContent = text
    link.append(shown)
    const icon = divIcon({ html: link, className: 'spots-marker', iconSize: [0, 0] })
    marker(map.unproject([x, y]), { icon, keyboard: false, interactive: false }).addTo(labels)
  }
}

const pixelOf = ({ x, y }: { x: number; y: number }) => ({ x, y })
