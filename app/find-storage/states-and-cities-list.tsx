/**
 * List of places, such as cities, that have facilities, each with a link.
 * @param onMap whether the list is beside a map; entries and map labels with the same `mark` are then highlighted
 * together
 */
export function PlaceList({
  places,
  onMap = false,
}: {
  places: { name: string; href: string; facilities?: number; mark?: number | undefined }[]
  onMap?: boolean
}) {
  return (
    <ul
      id={onMap ? 'list' : undefined}
      className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-x-6"
    >
      {places.map(({ name, href, facilities, mark }) => (
        <li key={href} className={mark ? `m${mark}` : undefined}>
          <a href={href} className="inline-block py-[0.6rem] font-medium">
            {name}
          </a>{' '}
          {facilities !== undefined && <span className="soft small num">{facilities}</span>}
        </li>
      ))}
    </ul>
  )
}
