/** Widths, subjects, limits, addresses, file keys and error messages of photographs of facilities and units. */

import { keysOf } from '../../../domain/typed-keys.ts'

/** Widths in pixels in which photographs are stored; smaller pictures are not enlarged. */
export const photoWidths = [480, 960, 1600] as const
export type PhotoWidth = (typeof photoWidths)[number]

/** Maximum number of photographs of one facility. */
export const MAX_PHOTOS = 12
/** Maximum number of photographs per upload. */
export const MAX_PHOTOS_PER_UPLOAD = 6
export const ALT_MAX = 200

/** Subjects that a facility's photographs can show, one photograph each, in the order of the public page. */
export const photoSlots = {
  front: 'The front',
  gate: 'The gate',
  corridor: 'A corridor or aisle',
  door: 'A unit door',
  inside: 'A unit from inside',
  loading: 'Where you load and unload',
} as const
export type PhotoSlot = keyof typeof photoSlots
export const photoSlotNames = keysOf(photoSlots)

/**
 * Sorts a facility's photographs by the slot that says what they show, such as the gate; those without a slot follow in
 * their given order.
 */
export const inSlotOrder = <Photo extends { slot: PhotoSlot | null }>(photos: readonly Photo[]): Photo[] => [
  ...photoSlotNames.flatMap((slot) => photos.filter((photo) => photo.slot === slot)),
  ...photos.filter((photo) => photo.slot === null),
]

export const parsePhotoWidth = (text: string): PhotoWidth | undefined =>
  photoWidths.find((width) => String(width) === text)

/** Returns the path of a facility's photograph: '/photographs/GA1/15ecdb0b…/960.webp' */
export const photoPath = (locationCode: string, photoId: string, width: PhotoWidth): string =>
  `/photographs/${locationCode}/${photoId}/${width}.webp`

/**
 * Returns a `srcset` of a photograph's stored widths.
 * @param address path that `photoPath` returned; for any other address the result is undefined
 * @param largest width of the largest file in pixels; files of greater nominal widths are equal, so only one is listed
 */
export function photoSrcset(address: string, largest = Number.POSITIVE_INFINITY): string | undefined {
  const [, start] = /^(\/photographs\/[\w-]+\/[0-9a-f]{32})\/\d+\.webp$/.exec(address) ?? []
  const distinctWidths = photoWidths.filter((_, index) => index === 0 || (photoWidths[index - 1] ?? 0) < largest)
  return start && distinctWidths.map((width) => `${start}/${width}.webp ${Math.min(width, largest)}w`).join(', ')
}

export const slotTaken = 'Another photograph shows this already.'

export const photoFaultMessages = {
  missing: 'Choose a photograph.',
  too_large: 'A photograph may have 10 MB, and all that are sent at once 30 MB.',
  unreadable: 'This is no photograph that can be read. Send a JPEG, PNG or WebP.',
  too_many: `At most ${MAX_PHOTOS_PER_UPLOAD} at once.`,
}

/** Kinds of subjects of photographs, as the keys of their files name them. */
export type PhotographKind = 'facilities' | 'units'

/** Returns the key of a photograph's file in the file store: 'photographs/facilities/ga1/15ecdb0b…-960.webp' */
export const photographFileKey = (kind: PhotographKind, locationCode: string, photoId: string, width: number) =>
  `photographs/${kind}/${locationCode.toLowerCase()}/${photoId}-${width}.webp`
