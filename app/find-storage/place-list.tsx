export function PlaceList({ places }: { places: { name: string; href: string; facilities?: number }[] }) {
  return (
    <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-x-6">
      {places.map(({ name, href, facilities }) => (
        <li key={href}>
          <a href={href} className="inline-block py-[0.6rem] font-medium">
            {name}
          </a>{' '}
          {facilities !== undefined && <span className="soft small num">{facilities}</span>}
        </li>
      ))}
    </ul>
  )
}
