export interface Choice {
  label: string
  href: string
  current: boolean
  /** Second line of the chip, such as its price. */
  note?: string
  /** True when no unit is free now. */
  isSoldOut?: boolean
}

export function Chip({ choice: { label, href, current, note, isSoldOut = false } }: { choice: Choice }) {
  return (
    <a className={isSoldOut ? 'chip chip-out' : 'chip'} href={href} aria-current={current || undefined}>
      {label}
      {note && (
        <>
          {' '}
          <small>{note}</small>
        </>
      )}
    </a>
  )
}

/**
 * Row of choices. A chosen one other than the first moves to the second place, so that it is visible.
 * @param menu label of the button beside the scrolling row, which opens `menus`
 */
export function Chips({
  label,
  choices,
  menu,
  menus,
}: {
  label: string
  choices: readonly Choice[]
  menu: string
  menus: readonly { title: string; choices: readonly Choice[] }[]
}) {
  const [first, ...others] = choices
  const nonEmptyMenus = menus.filter((menu) => menu.choices.length > 0)
  if (!first && nonEmptyMenus.length === 0) return null
  return (
    <nav className="chips" aria-label={label}>
      <ul className="chips-row">
        {first &&
          [first, ...others.sort((a, b) => Number(b.current) - Number(a.current))].map((choice) => (
            <li key={choice.href}>
              <Chip choice={choice} />
            </li>
          ))}
      </ul>
      {nonEmptyMenus.length > 0 && (
        <details>
          <summary>{menu}</summary>
          <div className="chips-menu">
            {nonEmptyMenus.map(({ title, choices }) => (
              <ul key={title} aria-label={title}>
                {choices.map(({ label, href, current }) => (
                  <li key={href}>
                    <a href={href} aria-current={current || undefined}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            ))}
          </div>
        </details>
      )}
    </nav>
  )
}
