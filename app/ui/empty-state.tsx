import '../styles/form-pages.css'
import type { ReactNode } from 'react'
import { Card } from './card-tag-and-callout.tsx'
import { Door } from './door-drawing.tsx'

export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Card className="grid justify-items-center gap-3 px-5 py-10 text-center [&_.btn-row]:mt-3 [&_.btn-row]:justify-center [&>svg]:w-[min(9rem,60vw)]">
      <Door open={0} />
      <h2>{title}</h2>
      {children && <div className="soft">{children}</div>}
      {action}
    </Card>
  )
}
