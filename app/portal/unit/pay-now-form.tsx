import '../../styles/form-pages.css'
import { type FormEvent, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { enableAutopay, payCurrentDues, payNow, prepayNextMonth } from '../../../modules/leases/texts/portal.ts'
import { howFarAhead, periodsNamed } from '../../../modules/payments/texts/pay-ahead.ts'
import { Button, useHydrated } from '../../ui/buttons.tsx'
import { Callout, Card } from '../../ui/card-tag-and-callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/fields/choice.tsx'
import { formatCents } from '../../ui/money.tsx'
import { withNoBreakSpaces } from '../../ui/no-break.ts'
import { WithPhoneLink } from '../../ui/phone-link.tsx'
import { PriceSummary } from '../../ui/price-summary.tsx'
import { useBrowserFilledValues } from '../../ui/use-browser-filled-values.ts'
import type { PayOffer } from '../payment-choices.ts'
import { HiddenLeaseFields } from './hidden-lease-fields.tsx'

/**
 * Form that pays what is due, or prepays periods and shows the breakdown of their price. If `offer.asksAutopay`, it asks
 * about autopay in a dialog; without scripts, the page at `?ask=1` asks.
 * @param guest true for a payer without an account, who turns autopay off by a mailed link
 */
export function PayNow({
  offer,
  fields,
  startsAsking,
  unitNumber,
  guest = false,
}: {
  offer: PayOffer
  fields: Record<string, string>
  startsAsking: boolean
  unitNumber: string
  guest?: boolean
}) {
  const [periods, setPeriods] = useState(offer.periods)
  const [isAsking, setIsAsking] = useState(startsAsking && !offer.blocked)
  const busy = useNavigation().formMethod === 'POST'
  const form = useRef<HTMLFormElement>(null)
  useBrowserFilledValues(form, (values) => values.periods && setPeriods(Number(values.periods)))
  const prepay = offer.pays === 'prepay'
  const quote = offer.quotes[periods - 1]
  const total = prepay ? (quote?.total ?? 0) : offer.balance
  const asksAutopay = offer.asksAutopay
  const hidden = <HiddenLeaseFields fields={fields} />
  const openQuestion = (event: FormEvent) => {
    event.preventDefault()
    setIsAsking(true)
  }
  return (
    <Card as="section" className="mt-6">
      <h2>{prepay ? prepayNextMonth : payCurrentDues}</h2>
      <Form
        ref={form}
        method={asksAutopay ? 'get' : 'post'}
        preventScrollReset
        onSubmit={asksAutopay ? openQuestion : undefined}
      >
        {hidden}
        {!asksAutopay && (
          <>
            <input type="hidden" name="intent" value="pay" />
            <input type="hidden" name="autopay" value="0" />
          </>
        )}
        {prepay && quote && !offer.blocked ? (
          <PrepayFields offer={offer} quote={quote} periods={periods} setPeriods={setPeriods} />
        ) : (
          !prepay && <p className="figure mt-2">{formatCents(offer.balance)}</p>
        )}
        {offer.cardFee !== null && !offer.blocked && (
          <p className="small soft mt-3">
            Paid by card without autopay, {formatCents(offer.cardFee)} comes on top: the card processing fee, any tax
            included.
          </p>
        )}
        {/* The sentence says why nothing can be paid here, so there is no disabled button beside it. */}
        {offer.blocked ? (
          <Callout className="mt-4" tone="error">
            <p>
              <WithPhoneLink>{offer.blocked}</WithPhoneLink>
            </p>
          </Callout>
        ) : (
          <div className="btn-row">
            <Button name="ask" value="1" busy={busy && !isAsking} busyLabel="One moment…">
              {payNow}
            </Button>
          </div>
        )}
      </Form>
      {asksAutopay && !offer.blocked && (
        <AutopayQuestion
          offer={offer}
          total={total}
          unitNumber={unitNumber}
          guest={guest}
          busy={busy}
          open={isAsking}
          onClose={() => setIsAsking(false)}
        >
          {hidden}
          {prepay && <input type="hidden" name="periods" value={periods} />}
        </AutopayQuestion>
      )}
    </Card>
  )
}

function PrepayFields({
  offer,
  quote,
  periods,
  setPeriods,
}: {
  offer: PayOffer
  quote: PayOffer['quotes'][number]
  periods: number
  setPeriods: (periods: number) => void
}) {
  const hydrated = useHydrated()
  return (
    <div className="grid gap-x-10 gap-y-2 md:grid-cols-2 md:items-start">
      <div>
        <SelectField
          name="periods"
          label={howFarAhead}
          empty={null}
          width={20}
          options={offer.quotes.map((quote) => ({
            value: String(quote.periods),
            label: periodsNamed(quote.periods),
          }))}
          defaultValue={String(periods)}
          onChange={(event) => setPeriods(Number(event.target.value))}
        />
        <p className="small soft mt-3">
          From {withNoBreakSpaces(quote.from)} to {withNoBreakSpaces(quote.to)}. Rent is billed every 30 days.
        </p>
        {!hydrated && (
          <p className="mt-3">
            <Button kind="secondary" formMethod="get">
              Update the total
            </Button>
          </p>
        )}
      </div>
      <PriceSummary
        lines={[
          { label: periods === 1 ? 'Monthly rent' : `Monthly rent × ${periods}`, cents: quote.rent },
          { label: 'Insurance', cents: quote.insurance },
          ...quote.fees,
          { label: 'Discount', cents: -quote.discount || 0 },
          { label: 'Tax', cents: quote.tax },
        ]}
        totalLabel="Total"
        totalCents={quote.total}
      />
    </div>
  )
}

/**
 * Asks whether to turn autopay on: Yes is autopay 1, No is 0 (spec 2 §4). The dialog's title is 'Enable Autopay?' for
 * unit numbers that are not all digits; for others the title and the text say more.
 */
function AutopayQuestion({
  offer,
  open,
  onClose,
  total,
  unitNumber,
  guest,
  busy,
  children,
}: {
  offer: PayOffer
  open: boolean
  onClose: () => void
  total: number
  unitNumber: string
  guest: boolean
  busy: boolean
  children: React.ReactNode
}) {
  const { cardFee, numericUnit } = offer
  const turnOffText = guest
    ? 'The e-mail with each receipt has a link that turns it off at any time.'
    : 'You can turn it off here at any time.'
  const waiverText = cardFee !== null && (
    <p>
      With autopay there is no card processing fee. Without it, paying by card adds {formatCents(cardFee)} to this
      payment.
    </p>
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={numericUnit ? `Pay for unit ${unitNumber} automatically?` : enableAutopay}
    >
      {numericUnit ? (
        <>
          <p>
            You pay {formatCents(total)} now{cardFee === null ? ' either way' : ''}. With autopay the card or bank
            account that you pay with is charged every 30 days from then on, on the first day of each period.{' '}
            {turnOffText}
          </p>
          {waiverText}
        </>
      ) : (
        <>
          <p>The card or bank account that you pay with is then charged every 30 days. {turnOffText}</p>
          {waiverText}
        </>
      )}
      <Form method="post">
        {children}
        <input type="hidden" name="intent" value="pay" />
        <div className="btn-row">
          <Button name="autopay" value="1" busy={busy} busyLabel="One moment…">
            {numericUnit ? 'Yes, use autopay' : 'Yes'}
          </Button>
          <Button name="autopay" value="0" kind="secondary" disabled={busy}>
            {numericUnit ? 'No, just this once' : 'No'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
