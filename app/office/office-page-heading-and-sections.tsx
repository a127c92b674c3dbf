import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame, pageTitle } from '../ui/page.tsx'

/** Frame of an office page: heading, buttons beside it and content. */
export function OfficePageFrame({
  title,
  brand,
  actions,
  lead,
  failed = false,
  children,
}: {
  title: string
  brand: string
  actions?: ReactNode
  lead?: ReactNode
  failed?: boolean
  children: ReactNode
}) {
  return (
    <PageFrame>
      <title>{pageTitle(title, `${brand} office`, failed)}</title>
      <div className="office-title flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1>{withNoBreakSpaces(title)}</h1>
        {actions && <div className="office-actions flex flex-wrap gap-[0.4rem] print:hidden">{actions}</div>}
      </div>
      {lead && <p className="soft mt-[0.4rem] mb-2">{withNoBreakSpaces(lead)}</p>}
      <DoneNote />
      {children}
    </PageFrame>
  )
}

/**
 * Section of a page with a heading.
 * @param count number beside the heading
 */
export function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="office-section">
      <h2>
        {title}
        {count !== undefined && <span className="soft num"> ({count})</span>}
      </h2>
      {children}
    </section>
  )
}

/** Success message of the last operation in the office, read from the address by the layout's loader. */
function DoneNote() {
  const layout = useRouteLoaderData<{ done: string }>('office/layout')
  if (!layout?.done) return null
  return (
    <p
      className="mt-2 inline-block border-l-3 border-pine bg-wash px-3 py-1 print:hidden [.office-title+&]:mt-[0.4rem]"
      role="status"
    >
      {layout.done}
    </p>
  )
}
