import { RefreshPage } from '../../ui/refresh-page.tsx'
import '../../styles/card-frame-and-completed-pages.css'
import type { ReactNode } from 'react'
import { Form } from 'react-router'
import type { RefundNotice } from '../../../modules/payments/views/unposted-order-outcome.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { DataList } from '../../ui/data-tables.tsx'
import { formatCents } from '../../ui/money.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { PhoneLink } from '../../ui/phone-link.tsx'

export interface PaymentOutcome {
  brand: string
  state: 'checking' | 'review' | 'refund'
  /** '' when this browser may not see the order. */
  orderId: string
  amount: number
  phone: string
  refundNotice: RefundNotice | null
  /** True when the order's card form can be opened again; the order is still charged once. */
  hasForm: boolean
}

export const outcomeTitles = {
  checking: 'We are checking your payment',
  review: 'Your payment needs a second look',
  refund: 'Your money is on its way back',
} as const

/**
 * Shows a payment that is being checked, reviewed by a staff member or refunded.
 * @param keeps sentence about what the renter keeps meanwhile, such as the unit
 * @param unsettled clause about what has not happened yet, such as the start of the lease
 */
export function OutcomePage({
  brand,
  state,
  orderId,
  amount,
  phone,
  refundNotice,
  hasForm,
  title = outcomeTitles[state],
  above,
  keeps = '',
  unsettled = '',
  children,
}: PaymentOutcome & { title?: string; above?: ReactNode; keeps?: string; unsettled?: string; children?: ReactNode }) {
  return (
    <PageFrame title={title} brand={brand}>
      {above}
      <div className="max-w-text">
        <h1>{title}</h1>
        {state === 'checking' && <Checking keeps={keeps} />}
        {state === 'review' && (
          <Callout className="mt-6" tone="warn" title="Our staff will check it first">
            <p>
              What was approved is not what we asked for{unsettled}. We sort it out or give the money back, and write to
              you either way. Please do not pay again.
            </p>
          </Callout>
        )}
        {refundNotice && (
          <Callout className="mt-6" tone="warn" title={refundNotice.title}>
            <p>
              {refundNotice.why} The whole amount goes back to where it came from; banks take a few days to show it. We
              write to you when it is done.
            </p>
          </Callout>
        )}
        <div className="mt-6">
          <DataList
            facts={[
              ...(orderId
                ? [{ label: 'Order number', value: <span className="tabular-nums break-all">{orderId}</span> }]
                : []),
              { label: 'Amount', value: <span className="num">{formatCents(amount)}</span> },
            ]}
          />
        </div>
        <p className="mt-6">
          Questions? Call <PhoneLink phone={phone} />
          {orderId && ' and tell us the order number'}.
        </p>
        {state === 'checking' && hasForm && <FormAgain orderId={orderId} />}
        {children && <ButtonRow>{children}</ButtonRow>}
      </div>
    </PageFrame>
  )
}

/** Reopens the card form for a payer whose form closed before it was sent. */
function FormAgain({ orderId }: { orderId: string }) {
  return (
    <Form method="post" action={`/card-return/${orderId}`} className="mt-6" reloadDocument>
      <p>Not pressed “Pay” yet? Enter your card again. This order is charged once, however often its form is opened.</p>
      <ButtonRow>
        <Button kind="secondary" name="intent" value="again">
          Open the card form again
        </Button>
      </ButtonRow>
    </Form>
  )
}

/** Interval between two checks of an unsettled payment, in seconds. */
export const POLL_SECONDS = 4

/** Reloads the page's data. The server goes on asking the provider after the page is closed. */
export const PollOutcome = () => <RefreshPage seconds={POLL_SECONDS} />

function Checking({ keeps }: { keeps: string }) {
  return (
    <>
      <PollOutcome />
      <p className="lead mt-2 mb-6" role="status">
        We do not know yet whether it went through. This page checks again by itself.
      </p>
      <Callout title="You can close this page">
        <p>
          We go on checking without it. Once the payment has gone through, its receipt is e-mailed; open this page again
          to see how it ended. {keeps}Please do not pay a second time.
        </p>
      </Callout>
    </>
  )
}
