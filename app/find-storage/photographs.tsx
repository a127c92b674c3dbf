import { photoSet } from '../../modules/facilities/rules/photograph.ts'

interface ShownPhotograph {
  src: string
  /** The same in full. */
  full: string
  alt: string
  width: number
  height: number
}

/** Those after the first, which stands beside the name; each opens in full. */
export function Photographs({ photos }: { photos: ShownPhotograph[] }) {
  if (photos.length === 0) return null
  return (
    <ul className="photographs mt-5">
      {photos.map(({ src, full, alt, width, height }) => (
        <li key={src}>
          <a href={full}>
            <img
              alt={alt}
              src={src}
              width={width}
              height={height}
              srcSet={photoSet(src, width)}
              sizes="(min-width: 48rem) 15rem, 45vw"
              loading="lazy"
              decoding="async"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
