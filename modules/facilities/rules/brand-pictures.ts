/** Pictures of the brand record: their labels and error messages, and the limits of their sizes. */

import { UPLOAD_MAX_MB } from '../../../domain/upload-size-and-file-types.ts'

export const brandPictureNames = ['logo', 'icon', 'shareImage'] as const
export type BrandPictureName = (typeof brandPictureNames)[number]

/** Maximum size of a stored picture in bytes, below the limit of `parseBrand`. */
const maxBytes = 148_000

/** Labels of the brand's pictures in the office, and how the site stores them (`BrandPictureShape`). */
export const brandPictures = {
  logo: {
    title: 'Logo',
    hint: 'In the head of every page, 36 pixels high. On a transparent ground it suits both themes.',
    width: 640,
    height: 144,
    fit: 'within' as const,
    least: { width: 36, height: 36 },
    maxBytes,
  },
  icon: {
    title: 'Icon',
    hint: 'Square. In the browser’s tab, and on the screen of a phone that keeps the site.',
    width: 512,
    height: 512,
    fit: 'within' as const,
    least: { width: 192, height: 192 },
    square: true,
    maxBytes,
  },
  shareImage: {
    title: 'Share image',
    hint: 'Where a link to the site is shared. It is cut to 1200 × 630 pixels.',
    width: 1200,
    height: 630,
    fit: 'fill' as const,
    least: { width: 1200, height: 630 },
    maxBytes,
  },
} satisfies Record<BrandPictureName, object>

export const brandPictureFaults = {
  missing: 'Choose a picture.',
  too_large: `A picture may have ${UPLOAD_MAX_MB} MB.`,
  unreadable: 'This is no picture that can be read. Send a JPEG, PNG or WebP.',
  square: 'An icon is as wide as it is high.',
  small: ({ width, height }: { width: number; height: number }) =>
    `This picture is too small. It needs ${width} × ${height} pixels at least.`,
}
