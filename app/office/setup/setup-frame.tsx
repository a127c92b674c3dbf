import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Tag } from '../../ui/card-tag-and-callout.tsx'
import { formatShortDay } from '../ledger-table.tsx'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'

/** Facts about the facility that the frame of its setup pages shows. */
export interface SetupAbout {
  brand: string
  code: string
  facility: string
  /** Path of the facility's public page; '' when the facility is retired. */
  publicPath: string
}

const pages = [
  ['', 'Street rates'],
  ['/offers', 'Fees, plans, discounts'],
  ['/facility', 'Hours and texts'],
  ['/gate', 'Gate'],
  ['/photographs', 'Photographs'],
  ['/letting', 'What is let'],
  ['/terms', 'Terms'],
] as const

/** Frame of a facility's setup pages, with links to the facility's other setup pages and its public page. */
export function SetupPage({
  about,
  at,
  title,
  failed,
  children,
}: {
  about: SetupAbout
  /** Path of the page within the facility's setup. */
  at: (typeof pages)[number][0]
  title: string
  failed?: boolean
  children: ReactNode
}) {
  const { brand, code, facility, publicPath } = about
  return (
    <OfficePageFrame
      title={title}
      brand={brand}
      failed={failed ?? false}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · {facility}
          {publicPath && (
            <>
              {' '}
              ·{' '}
              <a href={publicPath} target="_blank" rel="noopener">
                as visitors see it
              </a>
            </>
          )}
        </>
      }
    >
      <nav className="office-switch" aria-label={`Setup of ${facility}`}>
        {pages.map(([path, label]) => (
          <Link key={path} to={`/office/setup/${code}${path}`} aria-current={path === at ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </OfficePageFrame>
  )
}

export const OfferedOrRetiredTag = ({ retiredOn }: { retiredOn: string | null }) =>
  retiredOn === null ? <Tag tone="good">Offered</Tag> : <Tag>Retired {formatShortDay(retiredOn)}</Tag>
