import '../../styles/card-frame-and-completed-pages.css'
import type { ReactNode } from 'react'
import type { ChargeStatement, NotCharged } from '../../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { formatCents } from '../../ui/money.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { PriceSummary } from '../../ui/price-summary.tsx'
import { ChargeStatementContext, OtherPaymentMethodContext } from '../../ui/refusal-advice-react-contexts.ts'

export interface PaySummary {
  title: string
  subtitle: string
  lines: { label: string; explain?: string; cents: number }[]
  total: number
}

export function PayPage({
  brand,
  title,
  lead,
  back,
  summary,
  problems = {},
  charged = null,
  wrong = false,
  otherWay = '',
  left = null,
  action,
  children,
}: {
  brand: string
  title: string
  lead?: ReactNode
  back: string
  summary: PaySummary
  problems?: Record<string, string>
  /** Statement that nothing was charged, when one of `problems` is a failed order. */
  charged?: NotCharged | null
  /** True when a form inside the page has errors of its own. */
  wrong?: boolean
  /** Address of the page where another payment method can be chosen; '' without one. */
  otherWay?: string
  left?: ChargeStatement | null
  /** The page's button or link. A button is outside the form and refers to the form by id. */
  action?: ReactNode
  children: ReactNode
}) {
  const failed = Object.keys(problems).length > 0
  return (
    <PageFrame title={title} brand={brand} wrong={wrong || failed}>
      <OtherPaymentMethodContext value={otherWay}>
        <BackLink to={back} />
        <ActionBar
          label="To pay"
          total={formatCents(summary.total)}
          summary={
            <PriceSummary
              title={summary.title}
              subtitle={summary.subtitle}
              lines={summary.lines}
              totalLabel="To pay"
              totalCents={summary.total}
            />
          }
          action={action}
        >
          <h1>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
          {failed && (
            <div className="mt-6">
              <ChargeStatementContext value={charged}>
                <ErrorSummary errors={problems} />
              </ChargeStatementContext>
            </div>
          )}
          {!failed && !wrong && <LeftCardPage left={left} />}
          {children}
        </ActionBar>
      </OtherPaymentMethodContext>
    </PageFrame>
  )
}

/**
 * Says that the payer left the card page before paying.
 * @param left what the order's state says about the money; null when the payer did not leave the card page
 */
export function LeftCardPage({ left }: { left: ChargeStatement | null }) {
  if (!left) return null
  return (
    <Callout className="mt-6 max-w-text" title={left} live>
      <p>You left the card page before paying. You can go on whenever you are ready.</p>
    </Callout>
  )
}
