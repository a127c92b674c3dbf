import { Section } from '../office-page-heading-and-sections.tsx'

export interface UnitPhotoView {
  id: string
  /** Time of the photograph: 'Nov 20 10:14 AM', with the year when it is not the present one. */
  takenAt: string
  width: number
  height: number
}

/** Photographs of a unit; each opens in a larger size. */
export function UnitPhotos({ location, unit, photos }: { location: string; unit: string; photos: UnitPhotoView[] }) {
  if (photos.length === 0) return null
  return (
    <Section title="Photographs" count={photos.length}>
      <ul className="grid max-w-[50rem] grid-cols-[repeat(auto-fill,minmax(min(11rem,45%),1fr))] gap-3">
        {photos.map(({ id, takenAt, width, height }) => (
          <li key={id}>
            <a className="block" href={`/office/photographs/${location}/${id}/1600.webp`}>
              <img
                src={`/office/photographs/${location}/${id}/480.webp`}
                alt={`Unit ${unit}, ${takenAt}`}
                width={width}
                height={height}
                loading="lazy"
                className="office-photo"
              />
              <span className="small soft block">{takenAt}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
