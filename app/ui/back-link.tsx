import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon } from './icons.tsx'

/** Link above the heading that leads back to another page. */
export function BackLink({ to, children = 'Back' }: { to: string; children?: ReactNode }) {
  return (
    <Link className="inline-flex min-h-11 items-center gap-[0.35rem] text-small print:hidden" to={to}>
      <Icon name="back" />
      {children}
    </Link>
  )
}
