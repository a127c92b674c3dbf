import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { tryAgain } from '../../../domain/texts/general-errors.ts'
import type { PriceChange } from '../../../modules/pricing/rules/changed-price-of-quote-type.ts'
import { STEP_FORM } from '../../ui/action-bar.tsx'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Skeleton } from '../../ui/data-tables.tsx'
import { Icon } from '../../ui/icons.tsx'
import { formatCents } from '../../ui/money.tsx'
import { callHref } from '../../ui/phone-link.tsx'
import { PriceChanged } from '../../ui/price-changed.tsx'
import { PrivacyNote } from '../../ui/privacy-note.tsx'
import { POLL_SECONDS } from './unposted-payment-outcome.tsx'

export interface CardFrameFacts {
  orderId: string
  payPageUrl: string
  amount: number
}

/**
 * Returns the lead of a card page, also of one whose card form did not open.
 * @param nothingCharged sentence for a card that is stored and not charged
 */
export function cardPageLead(card: { amount: number } | null, changed: boolean, nothingCharged: string): string {
  if (!card) return changed ? 'Please look at the price once more.' : 'The form of our card provider did not open.'
  const charge = card.amount === 0 ? nothingCharged : `It charges ${formatCents(card.amount)}, once.`
  return `The form below is our card provider’s own. ${charge}`
}

/**
 * Asks the server for the page that shows how an order ended.
 * @returns the page's path; null while the order is open, or when the server cannot be reached or refuses
 */
async function fetchOutcomePath(orderId: string): Promise<string | null> {
  try {
    const response = await fetch(`/card-return/${orderId}`, { method: 'POST', headers: { Accept: 'application/json' } })
    const { next }: { next?: unknown } = await response.json()
    return response.ok && typeof next === 'string' ? next : null
  } catch {
    return null
  }
}

/**
 * Hook that polls the server for the order's outcome after the payer has entered the card frame, and leaves the page when
 * the order is no longer open, since the frame's own redirect may never happen.
 * @returns a ref for the frame
 */
function useOutcome(orderId: string) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    let hasEntered = false
    let isChecking = false
    let hasLeft = false
    const check = async () => {
      hasEntered ||= document.activeElement === frame.current
      if (!hasEntered || isChecking || !navigator.onLine) return
      isChecking = true
      const next = await fetchOutcomePath(orderId)
      isChecking = false
      if (next !== null && !hasLeft) location.replace(next)
    }
    // Of input in another site's frame the browser reports only that focus leaves the window for the frame. The timeout
    // lets the frame become `document.activeElement` first.
    const onBlur = () => void setTimeout(check)
    window.addEventListener('blur', onBlur)
    const timer = setInterval(() => !document.hidden && void check(), POLL_SECONDS * 1000)
    return () => {
      hasLeft = true
      window.removeEventListener('blur', onBlur)
      clearInterval(timer)
    }
  }, [orderId])
  return frame
}

/** Shows the provider's card page in a frame, over a skeleton while it loads. */
export function CardFrame({
  orderId,
  payPageUrl,
  returns,
}: Pick<CardFrameFacts, 'orderId' | 'payPageUrl'> & { returns: string }) {
  const frame = useOutcome(orderId)
  return (
    <>
      <div className="card-frame">
        <Skeleton shape="frame" />
        <iframe
          key={orderId}
          ref={frame}
          className="frame"
          src={payPageUrl}
          title="Card payment form of our card provider"
          allow="payment"
        />
      </div>
      <p className="mt-4">
        <Icon name="lock" /> Your card number goes to the card provider only. We never see or keep it.
      </p>
      <PrivacyNote asked="your payment" />
      <p className="mt-2">
        No form above? <a href={payPageUrl}>Open the card page in this window</a> instead; it brings you back here. Sent
        it, and nothing happens? <a href={`${returns}?order=${orderId}`}>See what became of it</a>.
      </p>
      <p className="small soft mt-2">
        Order number <span className="tabular-nums break-all">{orderId}</span>
      </p>
    </>
  )
}

export function PriceChangeConsent({
  changes,
  total,
  agreed,
  back,
}: {
  changes: PriceChange[]
  total: number
  agreed: { name: string; value: string }
  back: string
}) {
  return (
    <Form method="post" id={STEP_FORM} className="mt-6">
      <PriceChanged changes={changes} total={total} />
      <input type="hidden" {...agreed} />
      <ButtonRow>
        <LinkButton kind="secondary" to={back}>
          Look at everything again
        </LinkButton>
      </ButtonRow>
    </Form>
  )
}

/**
 * Button of a card page without the card form: agrees to a changed price, or tries again where the provider does not
 * respond.
 * @param total changed total in cents; undefined where the provider did not respond
 * @param self address of the page, to try again
 */
export function CardAction({
  total,
  button,
  self,
}: {
  total: number | undefined
  button?: string | undefined
  self: string
}) {
  const busy = useNavigation().formMethod === 'POST'
  if (total === undefined) return <LinkButton href={self}>{tryAgain}</LinkButton>
  return (
    <Button form={STEP_FORM} busy={busy} busyLabel="One moment…">
      {button ?? `Pay ${formatCents(total)} by card`}
    </Button>
  )
}

/** Part of a payment page that says that no card page could be opened, with a button to call the facility. */
export function CardPageUnavailable({ sentence, phone }: { sentence: string; phone: string }) {
  return (
    <>
      <p className="mt-6 max-w-text">Paying by card does not work at the moment. {sentence}</p>
      <ButtonRow>
        <LinkButton kind="secondary" href={callHref(phone)}>
          {`Call ${phone}`}
        </LinkButton>
      </ButtonRow>
    </>
  )
}
