import { photoSrcset } from '../../modules/facilities/rules/photograph.ts'
import { FacilityPicture } from './facility-card.tsx'
import type { FacilityView } from './facility-cards.ts'

interface Photograph {
  src: string
  /** Address of the photograph in full size. */
  full: string
  alt: string
  width: number
  height: number
}

/** Strip of a facility's photographs, each of which opens in full size; its card's picture if there are none. */
export function PictureStrip({
  front,
  photos,
}: {
  front: Pick<FacilityView, 'front' | 'photo'>
  photos: Photograph[]
}) {
  if (photos.length === 0)
    return (
      <div className="strip">
        <FacilityPicture facility={front} isLead />
      </div>
    )
  return (
    <ul className="strip" aria-label="Photographs">
      {photos.map(({ src, full, alt, width, height }, index) => (
        <li key={src}>
          <a href={full}>
            <img
              className="art"
              alt={alt}
              src={src}
              width={width}
              height={height}
              srcSet={photoSrcset(src, width)}
              sizes="(min-width: 52rem) 22rem, 45vw"
              // The first photograph loads at once, but with low priority; the others load when scrolled near.
              loading={index === 0 ? 'eager' : 'lazy'}
              fetchPriority={index === 0 ? 'low' : 'auto'}
              decoding="async"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
