import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { turnOnAutopay } from '../../../modules/payments/texts/pay-ahead.ts'
import { Button } from '../../ui/buttons.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { withNoBreakSpaces } from '../../ui/no-break.ts'
import type { PayOffer } from '../payment-choices.ts'
import { HiddenLeaseFields } from './hidden-lease-fields.tsx'

export function Autopay({
  autopay,
  named,
  ask,
  offer,
  leaving,
  inReview,
}: {
  autopay: Mandate | null
  named: Record<string, string>
  ask: string | null
  /** Payment choices; null when the unit cannot be paid online. */
  offer: PayOffer | null
  leaving: boolean
  inReview: boolean
}) {
  const [asking, setAsking] = useState(ask === 'autopay_off')
  const busy = useNavigation().formMethod === 'POST'
  const on = autopay !== null
  return (
    <section id="autopay">
      <h2 className="text-lead">Autopay is {on ? 'on' : 'off'}</h2>
      {on ? <Agreed {...autopay} /> : <Off ends={leaving || inReview} online={offer !== null} />}
      <div className={offer || on ? 'btn-row' : undefined}>
        {offer && (
          <Form method="post">
            <HiddenLeaseFields named={named} />
            <Button kind="secondary" name="intent" value="autopay_on" busy={busy && !asking}>
              {on ? 'Change card or account' : turnOnAutopay}
            </Button>
          </Form>
        )}
        {on && (
          <Form
            method="get"
            preventScrollReset
            onSubmit={(event) => {
              event.preventDefault()
              setAsking(true)
            }}
          >
            <HiddenLeaseFields named={named} />
            <Button kind="quiet" name="ask" value="autopay_off">
              Turn off autopay
            </Button>
          </Form>
        )}
      </div>
      {offer && <p className="small soft mt-3">{costOf(offer.pays, on)}</p>}
      {on && <TurnOff label={autopay.label} named={named} open={asking} onClose={() => setAsking(false)} busy={busy} />}
    </section>
  )
}

function costOf(pays: PayOffer['pays'], on: boolean): string {
  if (pays === 'dues')
    return 'What is due is paid along with it: the card or account that you pay with is kept for autopay.'
  return on ? 'Choosing another card or account costs nothing today.' : 'Turning it on costs nothing today.'
}

const Off = ({ ends, online }: { ends: boolean; online: boolean }) => (
  <p className="mt-1">
    Nothing is charged without you.
    {ends ? '' : ` You pay each period yourself, ${online ? 'here or by phone' : 'by phone'}.`}
  </p>
)

function TurnOff({
  label,
  named,
  open,
  onClose,
  busy,
}: {
  label: string
  named: Record<string, string>
  open: boolean
  onClose: () => void
  busy: boolean
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Turn off autopay?"
      actions={<DialogClose kind="quiet">Keep autopay</DialogClose>}
    >
      <p>
        {label || 'Your card or bank account'} is not charged by itself any more. You then pay each period yourself.
      </p>
      <Form method="post">
        <HiddenLeaseFields named={named} />
        <div className="btn-row">
          <Button name="intent" value="autopay_off" kind="danger" busy={busy}>
            Turn off autopay
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface Mandate {
  label: string
  /** 'today' or 'on' a date; null when no charge comes. */
  next: string | null
  consent: string
  since: string
}

function Agreed({ label, next, consent, since }: Mandate) {
  return (
    <>
      <p className="mt-1">
        {label ? `${label} is` : 'Your card or bank account is'} charged every 30&nbsp;days
        {next && <>, next {withNoBreakSpaces(next)}</>}.
      </p>
      {(consent || since) && (
        <details className="mt-2">
          <summary>What you agreed to</summary>
          {consent && <p className="mt-2 max-w-text">“{consent}”</p>}
          {since && <p className="small soft mt-1">Agreed on {since}.</p>}
        </details>
      )}
    </>
  )
}
