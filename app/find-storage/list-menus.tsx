import type { Choice, unitList } from './unit-list.ts'

/** Size, kind and order as menus of links, one open at a time. A plain page has no scripts to close them. */
export function ListMenus({
  sizes,
  features,
  sorts,
}: Pick<ReturnType<typeof unitList>, 'sizes' | 'features' | 'sorts'>) {
  const menus: [string, Choice[]][] = [
    ['Size', sizes],
    ['Kind', features],
    ['Sort by', sorts],
  ]
  const shown = menus.filter(([, choices]) => choices.length > 0)
  if (shown.length === 0) return null
  return (
    <nav className="menus" aria-label="Filter and sort">
      {shown.map(([label, choices]) => (
        <details key={label} name="menus">
          <summary>
            <span className={label === 'Sort by' ? 'soft' : 'sr'}>{label} </span>
            {choices.find(({ current }) => current)?.label}
          </summary>
          <ul>
            {choices.map((choice) => (
              <li key={choice.href}>
                <a href={choice.href} aria-current={choice.current || undefined}>
                  {choice.label}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  )
}
