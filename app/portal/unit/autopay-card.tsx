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
  leaseFields,
  dialog,
  offer,
  leaving,
  inReview,
}: {
  autopay: Mandate | null
  leaseFields: Record<string, string>
  dialog: string | null
  /** Payment choices; null when autopay cannot be turned on, or its card or account changed, online. */
  offer: PayOffer | null
  leaving: boolean
  inReview: boolean
}) {
  const [isDialogOpen, setIsDialogOpen] = useState(dialog === 'autopay_off')
  const busy = useNavigation().formMethod === 'POST'
  const isOn = autopay !== null
  return (
    <section id="autopay">
      <h2 className="text-lead">Autopay is {isOn ? 'on' : 'off'}</h2>
      {isOn ? (
        <MandateDetails {...autopay} />
      ) : (
        <AutopayOffText isEnding={leaving || inReview} online={offer !== null} />
      )}
      <div className={offer || isOn ? 'btn-row' : undefined}>
        {offer && (
          <Form method="post">
            <HiddenLeaseFields fields={leaseFields} />
            <Button kind="secondary" name="intent" value="autopay_on" busy={busy && !isDialogOpen}>
              {isOn ? 'Change card or account' : turnOnAutopay}
            </Button>
          </Form>
        )}
        {isOn && (
          <Form
            method="get"
            preventScrollReset
            onSubmit={(event) => {
              event.preventDefault()
              setIsDialogOpen(true)
            }}
          >
            <HiddenLeaseFields fields={leaseFields} />
            <Button kind="quiet" name="ask" value="autopay_off">
              Turn off autopay
            </Button>
          </Form>
        )}
      </div>
      {offer && <p className="small soft mt-3">{costText(offer.pays, isOn)}</p>}
      {isOn && (
        <TurnOffDialog
          label={autopay.label}
          leaseFields={leaseFields}
          open={isDialogOpen}
          onClose={() => setIsDialogOpen(false)}
          busy={busy}
        />
      )}
    </section>
  )
}

function costText(pays: PayOffer['pays'], on: boolean): string {
  if (pays === 'dues')
    return 'What is due is paid along with it: the card or account that you pay with is kept for autopay.'
  return on ? 'Choosing another card or account costs nothing today.' : 'Turning it on costs nothing today.'
}

const AutopayOffText = ({ isEnding, online }: { isEnding: boolean; online: boolean }) => (
  <p className="mt-1">
    Nothing is charged without you.
    {isEnding ? '' : ` You pay each period yourself, ${online ? 'here or by phone' : 'by phone'}.`}
  </p>
)

function TurnOffDialog({
  label,
  leaseFields,
  open,
  onClose,
  busy,
}: {
  label: string
  leaseFields: Record<string, string>
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
        <HiddenLeaseFields fields={leaseFields} />
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
  /** 'today', or 'on' and a date; null when no charge is to come or the lease cannot be paid online. */
  next: string | null
  consent: string
  since: string
}

function MandateDetails({ label, next, consent, since }: Mandate) {
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
