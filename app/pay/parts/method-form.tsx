import { type ReactNode, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { paymentRetryFailed, paymentRetryFailedTitle } from '../../../domain/texts/payment.ts'
import { duesRetryFailed, type NotCharged } from '../../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import { STEP_FORM } from '../../ui/action-bar.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { RadioCards, type RadioOption } from '../../ui/fields/choice.tsx'
import { Icon } from '../../ui/icons.tsx'
import { formatCents } from '../../ui/money.tsx'
import { useBrowserFilledValues } from '../../ui/use-browser-filled-values.ts'

export interface MethodOption {
  value: 'CC' | 'ACH'
  label: string
  detail: string
  /** Sentence about the total by this method; absent when the card or account is only stored for autopay. */
  price?: string
}

export const cardOption: MethodOption = {
  value: 'CC',
  label: 'Credit card',
  detail:
    'Visa, Mastercard, American Express or Discover. You enter it on our card provider’s page; its number never reaches us.',
}

export const bankOption: MethodOption = {
  value: 'ACH',
  label: 'Bank account (ACH)',
  detail: 'By routing and account number, typed or scanned from a check.',
}

export function withPrice(option: MethodOption, total: number, otherTotal = total): MethodOption {
  const sum = total === 0 ? 'Nothing is due today' : `You pay ${formatCents(total)}`
  return { ...option, price: `${sum}${total < otherTotal ? ', without the card fee' : ''}.` }
}

export const methodCards = (methods: MethodOption[]): RadioOption<MethodOption['value']>[] =>
  methods.map(({ value, label, detail, price }) => ({
    value,
    label,
    detail: (
      <>
        {detail} {price && <span className="block mt-1 text-ink">{price}</span>}
      </>
    ),
    side: <Icon name={value === 'CC' ? 'card' : 'bank'} />,
  }))

export function MethodAction({ total, paysByCard }: { total: number; paysByCard: boolean }) {
  return (
    <Button form={STEP_FORM} busy={useNavigation().formMethod === 'POST'} busyLabel="One moment…">
      {paysByCard ? `Pay ${formatCents(total)} by card` : 'Continue'}
    </Button>
  )
}

export function MethodForm({
  checkoutId,
  methods,
  onMethod,
  consent,
  error,
  children,
}: {
  checkoutId: string
  methods: MethodOption[]
  onMethod(method: MethodOption['value']): void
  /** Autopay consent text; null without autopay. */
  consent: string | null
  error?: string | undefined
  children?: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  useBrowserFilledValues(form, (values) => {
    for (const { value } of methods) if (value === values.method) onMethod(value)
  })
  return (
    <Form method="post" id={STEP_FORM} className="mt-8" ref={form}>
      <input type="hidden" name="checkout" value={checkoutId} />
      <RadioCards
        name="method"
        legend="Payment method"
        legendHidden
        defaultValue={methods[0]?.value}
        onChange={onMethod}
        error={error}
        options={methodCards(methods)}
      />
      {children}
      {consent && (
        <Callout className="mt-6 max-w-text" title="What you agree to">
          <p>{consent}</p>
        </Callout>
      )}
    </Form>
  )
}

/**
 * Dialog that opens when the payment attempts are used up (spec 1 §8).
 * @param dues phone number and charge statement for the text about dues; without them the text is a move-in's, which
 *   mentions the held unit
 */
export function TooManyAttemptsDialog({ dues }: { dues?: { phone: string; charged: NotCharged } }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={paymentRetryFailedTitle}
      actions={<DialogClose>OK</DialogClose>}
    >
      <p>{dues ? duesRetryFailed(dues.charged, dues.phone) : paymentRetryFailed}</p>
    </Dialog>
  )
}
