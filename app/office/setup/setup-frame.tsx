import '../../styles/office-setup.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Tag } from '../../ui/surfaces.tsx'
import { shortDay } from '../ledger.tsx'
import { OfficePageFrame } from '../office-page-frame.tsx'

export interface SetupAbout {
  brand: string
  code: string
  facility: string
  /** Address of the facility's public page; '' when it has none any more. */
  seen: string
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

/** Frame of a facility's setup pages, with links to the others and to the public page. */
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
  const { brand, code, facility, seen } = about
  return (
    <OfficePageFrame
      title={title}
      brand={brand}
      failed={failed ?? false}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · {facility}
          {seen && (
            <>
              {' '}
              ·{' '}
              <a href={seen} target="_blank" rel="noopener">
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

export function Offered({ retiredOn, word = 'Offered' }: { retiredOn: string | null; word?: string }) {
  return retiredOn === null ? <Tag tone="good">{word}</Tag> : <Tag>Retired {shortDay(retiredOn)}</Tag>
}
