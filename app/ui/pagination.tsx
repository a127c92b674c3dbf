import type { ReactNode } from 'react'

/** Renders navigation of short links, such as page numbers. */
function Pills({
  label,
  links,
}: {
  label: string
  /** `afterGap`: whether links are omitted before this link. */
  links: { label: ReactNode; href: string; current?: boolean; afterGap?: boolean }[]
}) {
  return (
    <nav aria-label={label}>
      <ul className="pills">
        {links.map((link) => (
          <li key={link.href} className={link.afterGap ? 'after-gap' : undefined}>
            <a href={link.href} aria-current={link.current ? 'true' : undefined}>
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function Pagination({ page, pages, href }: { page: number; pages: number; href: (page: number) => string }) {
  if (pages <= 1) return null
  const shownPages = [...new Set([1, page - 1, page, page + 1, pages])].filter((n) => n >= 1 && n <= pages)
  return (
    <Pills
      label="Pages"
      links={shownPages.map((n, index) => ({
        href: href(n),
        afterGap: n - (shownPages[index - 1] ?? 0) > 1,
        current: n === page,
        label: (
          <>
            <span className="sr">Page </span>
            {n}
          </>
        ),
      }))}
    />
  )
}
