import type { ChargeStatement } from '../../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import { ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { outcomeTitles, PollOutcome } from './unposted-payment-outcome.tsx'

export interface CheckedPayment {
  brand: string
  statement: ChargeStatement
  /** True while the provider has not decided. */
  open: boolean
  nextLink: { label: string; href: string }
}

/** Page with the outcome of a payment whose browser lost its session. The page names no person and no amount. */
export function CheckedPaymentPage({ brand, statement, open, nextLink }: CheckedPayment) {
  return (
    <PageFrame title={outcomeTitles.checking} brand={brand}>
      <div className="max-w-text">
        <h1>{outcomeTitles.checking}</h1>
        {open && <PollOutcome />}
        <p className="lead mt-2 mb-6" role="status">
          {statement}
        </p>
        <Callout title="Your session has ended">
          <p>
            This browser does not know any more who began the payment, so its details are not shown here. The payment
            itself does not depend on this page: we go on checking without it, and write by e-mail how it ended.
          </p>
        </Callout>
        <ButtonRow>
          <LinkButton kind="secondary" href={nextLink.href}>
            {nextLink.label}
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}
