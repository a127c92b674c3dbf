import type { FormEvent, ReactNode } from 'react'

/**
 * Element id of the form of a rental or payment step. The form's button is in the action bar, outside the form, and
 * refers to the form by this id.
 */
export const STEP_FORM = 'step'

/**
 * Content of a step with its price and action. On a phone, price and action are in a bar below the content; on a desktop,
 * the price is beside the content and the action below it.
 */
export function ActionBar({
  label,
  total,
  then,
  summary,
  action,
  onInput,
  children,
}: {
  label: string
  total: string
  /** Later payment, shown after the total. */
  then?: string | undefined
  summary: ReactNode
  /** The step's buttons. Without them the bar is not sticky. */
  action?: ReactNode
  /** Called when a field in the content changes. */
  onInput?: (event: FormEvent) => void
  children: ReactNode
}) {
  return (
    <div className="beside">
      <div className="[&>.lead]:mt-3 [:where(&>.callout)]:mt-5" onInput={onInput}>
        {children}
      </div>
      <div className={action ? 'action-bar sticks' : 'action-bar'}>
        <aside aria-label="Price summary">
          <details className="fold">
            <summary>
              <span>{label}</span>
              <strong className="num">{total}</strong>
              {then && <span className="soft small">{then}</span>}
            </summary>
            <div className="fold-panel">{summary}</div>
          </details>
        </aside>
        {action && <div className="actions">{action}</div>}
      </div>
    </div>
  )
}
