import type { ChargeStatement } from '../../../modules/payments/texts/money-taken-sentences.ts'
import { ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Callout } from '../../ui/surfaces.tsx'
import { outcomeTitles, PollOutcome } from './payment-outcome.tsx'

export interface CheckedPayment {
  brand: string
  told: ChargeStatement
  /** True while the provider has not decided. */
  open: boolean
  wayOn: { label: string; href: string }
}

/** Page with the outcome of a payment whose browser lost its session. It names no person and no amount. */
export function CheckedPaymentPage({ brand, told, open, wayOn }: CheckedPayment) {
  return (
    <PageFrame title={outcomeTitles.checking} brand={brand}>
      <div className="max-w-text">
        <h1>{outcomeTitles.checking}</h1>
        {open && <PollOutcome />}
        <p className="lead mt-2 mb-6" role="status">
          {told}
        </p>
        <Callout title="Your session has ended">
          <p>
            This browser does not know any more who began the payment, so its details are not shown here. The payment
            itself does not depend on this page: we go on checking without it, and write by e-mail how it ended.
          </p>
        </Callout>
        <ButtonRow>
          <LinkButton kind="secondary" href={wayOn.href}>
            {wayOn.label}
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}
