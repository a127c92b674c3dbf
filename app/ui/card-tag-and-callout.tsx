import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Tone = 'info' | 'success' | 'warn' | 'error'

/**
 * Renders a card, a box around content.
 * @param wash whether the card is shaded, for asides
 * @param flush whether to omit the padding, so that rows or pictures reach the edge; put text in `card-body`
 */
export function Card({
  children,
  wash,
  flush,
  as: As = 'div',
  className = '',
  id,
}: {
  children: ReactNode
  wash?: boolean
  flush?: boolean
  as?: 'div' | 'section' | 'article' | 'li'
  className?: string
  id?: string | undefined
}) {
  return (
    <As id={id} className={`card ${wash ? 'bg-wash' : ''} ${flush ? 'overflow-hidden p-0' : ''} ${className}`}>
      {children}
    </As>
  )
}

export function Tag({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'good' | 'bad' | 'door' }) {
  return <span className={`tag${tone === 'plain' ? '' : ` tag-${tone}`}`}>{children}</span>
}

const TONE_ICON: Record<Tone, IconName> = { info: 'info', success: 'check', warn: 'alert', error: 'alert' }
const TONE_LABEL: Record<Tone, string> = { info: 'Note', success: 'Done', warn: 'Please note', error: 'Problem' }

/**
 * Renders a message with an icon.
 * @param level heading level of the title
 * @param live whether screen readers announce the message when it appears
 */
export function Callout({
  tone = 'info',
  title,
  level = 2,
  live,
  className = '',
  children,
}: {
  tone?: Tone
  title?: ReactNode
  level?: 2 | 3
  live?: boolean
  className?: string
  children?: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <div
      className={`callout callout-${tone} ${className}`.trim()}
      role={live ? (tone === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon name={TONE_ICON[tone]} label={TONE_LABEL[tone]} />
      <div className="prose">
        {title && <Heading>{title}</Heading>}
        {children}
      </div>
    </div>
  )
}
