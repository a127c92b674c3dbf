import '../../styles/paying.css'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Form, useLocation, useNavigation, useRevalidator } from 'react-router'
import {
  duesRetryFailed,
  failedToInitializePayment,
  paymentRetryFailed,
  paymentRetryFailedTitle,
} from '../../../domain/texts/payment.ts'
import { tryAgain } from '../../../domain/texts/site.ts'
import type { PriceChange } from '../../../storage-system/pricing.ts'
import { PriceChanged } from '../../move-in/price-changed.tsx'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { useEarly } from '../../ui/early.ts'
import { ErrorSummary, RadioCards, type RadioOption } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Aside, BackLink } from '../../ui/journey.tsx'
import { formatCents } from '../../ui/money.tsx'
import { PageFrame, pageTitle } from '../../ui/page.tsx'
import { callHref, PhoneLink } from '../../ui/phone-link.tsx'
import { PriceSummary } from '../../ui/prices.tsx'
import { DataList, Skeleton } from '../../ui/records.tsx'
import { Callout } from '../../ui/surfaces.tsx'

/** What is paid, beside every page that leads to paying it. */
export interface PaySummary {
  /** 'Unit 318' */
  title: string
  /** The facility. */
  subtitle: string
  lines: { label: string; explain?: string; cents: number }[]
  total: number
}

/** The frame of the pages before a payment: Back, heading, and what is paid beside it. */
export function PayPage({
  brand,
  title,
  lead,
  back,
  summary,
  problems = {},
  wrong = false,
  children,
}: {
  brand: string
  title: string
  lead?: ReactNode
  back: string
  summary: PaySummary
  problems?: Record<string, string>
  /** A form within says what is wrong by itself. */
  wrong?: boolean
  children: ReactNode
}) {
  return (
    <PageFrame>
      <title>{pageTitle(title, brand, wrong || Object.keys(problems).length > 0)}</title>
      <BackLink to={back} />
      <Aside
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
      >
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {Object.keys(problems).length > 0 && (
          <div className="mt-6">
            <ErrorSummary errors={problems} />
          </div>
        )}
        {Object.keys(problems).length === 0 && !wrong && <LeftCardPage />}
        {children}
      </Aside>
    </PageFrame>
  )
}

/** Whoever pressed Cancel on the card page is back without a word of the provider's: told that no money went. */
export function LeftCardPage() {
  const left = new URLSearchParams(useLocation().search).get('left') === 'true'
  if (!left) return null
  return (
    <div className="mt-6 max-w-text">
      <Callout title="Nothing was charged" live>
        <p>You left the card page before paying. You can go on whenever you are ready.</p>
      </Callout>
    </div>
  )
}

/** A way of paying: `value` goes with the form. */
export interface MethodOption {
  value: 'CC' | 'ACH'
  label: string
  detail: string
  /** What it comes to, in a sentence; not where nothing is paid. */
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

/** A way of paying with what it comes to. @param other what the other way comes to, where there is one */
export function withPrice(option: MethodOption, total: number, other = total): MethodOption {
  const sum = total === 0 ? 'Nothing is due today' : `You pay ${formatCents(total)}`
  return { ...option, price: `${sum}${total < other ? ', without the card fee' : ''}.` }
}

/** The ways of paying as the cards that one of them is chosen from. */
export const methodCards = (methods: MethodOption[]): RadioOption[] =>
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

/** Chooses how to pay, and agrees to the price that is shown and to autopay where that was chosen. */
export function MethodForm({
  checkoutId,
  total,
  keeps = false,
  methods,
  onMethod,
  consent,
  error,
  children,
}: {
  checkoutId: string
  total: number
  /** Nothing is paid: what is chosen is kept for autopay. */
  keeps?: boolean
  methods: MethodOption[]
  /** The price beside the form follows what is chosen: a bank account pays no card fee. */
  onMethod(method: MethodOption['value']): void
  /** What is agreed to with autopay; null without it. */
  consent: string | null
  error?: string | undefined
  children?: ReactNode
}) {
  const busy = useNavigation().formMethod === 'POST'
  const many = methods.length > 1
  const form = useRef<HTMLFormElement>(null)
  useEarly(form, (held) => held.method && onMethod(held.method as MethodOption['value']))
  return (
    <Form method="post" className="mt-8" ref={form}>
      <input type="hidden" name="checkout" value={checkoutId} />
      <RadioCards
        name="method"
        legend="Payment method"
        legendHidden
        defaultValue={methods[0]?.value}
        onChange={(chosen) => onMethod(chosen as MethodOption['value'])}
        error={error}
        options={methodCards(methods)}
      />
      {children}
      {consent && (
        <div className="mt-6 max-w-text">
          <Callout title="What you agree to">
            <p>{consent}</p>
          </Callout>
        </div>
      )}
      <ButtonRow>
        <Button busy={busy} busyLabel="One moment…">
          {many || keeps ? 'Continue' : `Pay ${formatCents(total)} by card`}
        </Button>
      </ButtonRow>
    </Form>
  )
}

export interface CardEntry {
  orderId: string
  payPageUrl: string
  amount: number
}

/** The provider's page in its frame. While it is empty its skeleton shows through; should it stay empty, the same page opens in this window. */
export function CardFrame({ orderId, payPageUrl }: Pick<CardEntry, 'orderId' | 'payPageUrl'>) {
  return (
    <>
      <div className="card-frame">
        <Skeleton shape="frame" />
        <iframe key={orderId} className="frame" src={payPageUrl} title="Card payment form of our card provider" />
      </div>
      <p className="mt-4">
        <Icon name="lock" /> Your card number goes to the card provider only. We never see or keep it.
      </p>
      <p className="mt-2">
        No form above? <a href={payPageUrl}>Open the card page in this window</a> instead; it brings you back here.
      </p>
      <p className="small soft mt-2">
        Order number <span className="num break-all">{orderId}</span>
      </p>
    </>
  )
}

/** What a page with the card frame shows: the frame, a price to agree to anew, or that the provider does not answer. */
export interface CardEntryData {
  brand: string
  phone: string
  back: string
  /** Where the close button leads. */
  close: string
  /** This page's own address, to try again. */
  self: string
  summary: PaySummary
  card: CardEntry | null
  changed: { changes: PriceChange[]; checkoutId: string; total: number } | null
  failure: string | null
}

/** The page with the card frame, the same for everybody who pays by card. */
export function CardEntryPage({ brand, phone, back, close, self, summary, card, changed, failure }: CardEntryData) {
  const busy = useNavigation().formMethod === 'POST'
  const problems: Record<string, string> = failure
    ? { form: failure }
    : card || changed
      ? {}
      : { form: failedToInitializePayment }
  return (
    <PayPage
      brand={brand}
      title={summary.total === 0 ? 'Your card for autopay' : 'Pay by card'}
      lead={
        card
          ? `The form below is our card provider’s own. ${card.amount === 0 ? 'It keeps your card for autopay and charges nothing today.' : `It charges ${formatCents(card.amount)}, once.`}`
          : 'Nothing has been charged.'
      }
      back={back}
      summary={summary}
      problems={problems}
    >
      {card && (
        <>
          <p className="mt-4">
            <LinkButton kind="secondary" href={close}>
              {summary.total === 0 ? 'Close, keep no card' : 'Close without paying'}
            </LinkButton>
          </p>
          <CardFrame {...card} />
        </>
      )}
      {changed && (
        <Form method="post" className="mt-6">
          <PriceChanged changes={changed.changes} total={changed.total} />
          <input type="hidden" name="checkout" value={changed.checkoutId} />
          <ButtonRow>
            <Button busy={busy} busyLabel="One moment…">
              {`Pay ${formatCents(changed.total)} by card`}
            </Button>
            <LinkButton kind="secondary" to={back}>
              Look at everything again
            </LinkButton>
          </ButtonRow>
        </Form>
      )}
      {!card && !changed && (
        <>
          <p className="mt-6 max-w-text">The card provider does not answer at the moment. Trying again is safe.</p>
          <ButtonRow>
            <LinkButton href={self}>{tryAgain}</LinkButton>
            <LinkButton kind="secondary" href={callHref(phone)}>
              {`Call ${phone}`}
            </LinkButton>
          </ButtonRow>
        </>
      )}
    </PayPage>
  )
}

/**
 * Shown once the tries are used up (spec 1 §8).
 * @param phone for those who pay for what they rent or bought: only a renter who moves in has a unit held
 */
export function RetryNotice({ phone }: { phone?: string }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={paymentRetryFailedTitle}
      actions={<DialogClose>OK</DialogClose>}
    >
      <p>{phone === undefined ? paymentRetryFailed : duesRetryFailed(phone)}</p>
    </Dialog>
  )
}

// ── Back from the card provider ───────────────────────────────────────────────────────────────────────────────────────

export interface Outcome {
  brand: string
  state: 'checking' | 'review' | 'refund'
  orderId: string
  amount: number
  phone: string
  /** Of 'refund'. */
  wentBack: WentBack | null
}

export interface WentBack {
  /** As kept with the payment. */
  trouble: string
  title: string
  /** A sentence. */
  why: string
}

const titles = {
  checking: 'We are checking your payment',
  review: 'Your payment needs a second look',
  refund: 'Your money is on its way back',
} as const

/** Not paid, and not refused either: being checked, looked at by a person, or given back. */
export function OutcomePage({
  brand,
  state,
  orderId,
  amount,
  phone,
  wentBack,
  back,
}: Outcome & { back: { to: string; label: string } }) {
  const title = titles[state]
  return (
    <PageFrame>
      <title>{pageTitle(title, brand)}</title>
      <div className="max-w-text">
        <h1>{title}</h1>
        {state === 'checking' && <Checking />}
        {state === 'review' && (
          <div className="mt-6">
            <Callout tone="warn" title="Somebody here looks at it first">
              <p>
                What was approved is not what we asked for. We sort it out or give the money back, and write to you
                either way. Please do not pay again.
              </p>
            </Callout>
          </div>
        )}
        {wentBack && <MoneyGoesBack {...wentBack} />}
        <div className="mt-6">
          <OrderFacts orderId={orderId} amount={amount} />
        </div>
        <p className="mt-6">
          Questions? Call <PhoneLink phone={phone} /> and tell us the order number.
        </p>
        <ButtonRow>
          <LinkButton kind="secondary" href={back.to}>
            {back.label}
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}

/** Taken, and not to be used: why, and what becomes of the money. */
export function MoneyGoesBack({ title, why }: WentBack) {
  return (
    <div className="mt-6">
      <Callout tone="warn" title={title}>
        <p>
          {why} The whole amount goes back to where it came from; banks take a few days to show it. We write to you when
          it is done.
        </p>
      </Callout>
    </div>
  )
}

function OrderFacts({ orderId, amount }: { orderId: string; amount: number }) {
  return (
    <DataList
      facts={[
        { label: 'Order number', value: <span className="num break-all">{orderId}</span> },
        { label: 'Amount', value: <span className="num">{formatCents(amount)}</span> },
      ]}
    />
  )
}

/** Seconds between two looks at a payment that is still being checked. */
const lookEvery = 4

/** The provider has not answered yet. It is asked again by itself, here and, once this page is closed, without it. */
export function Checking({ keeps = '' }: { keeps?: string }) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const timer = setInterval(() => {
      if (navigator.onLine && !document.hidden) void revalidate()
    }, lookEvery * 1000)
    return () => clearInterval(timer)
  }, [revalidate])
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={String(lookEvery)} />
      </noscript>
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

/** The method page of a personal link: the card, and nothing to choose. */
export function LinkMethodPage({
  brand,
  phone,
  title,
  lead,
  back,
  summary,
  process,
  failure,
  retriesUsedUp,
  children,
}: {
  brand: string
  phone: string
  title: string
  lead?: string
  back: string
  summary: PaySummary
  process: string
  failure: string | null
  retriesUsedUp: boolean
  children?: ReactNode
}) {
  return (
    <PayPage
      brand={brand}
      title={title}
      lead={lead}
      back={back}
      summary={summary}
      problems={failure ? { form: failure } : {}}
    >
      {children && <div className="mt-6">{children}</div>}
      <h2 className="mt-10">Credit Card</h2>
      <p className="mt-2 max-w-text">
        {cardOption.detail} {formatCents(summary.total)} is charged once.
      </p>
      <ButtonRow>
        <LinkButton href={process}>{`Pay ${formatCents(summary.total)} by card`}</LinkButton>
        <LinkButton kind="secondary" href={callHref(phone)}>
          {`Call ${phone}`}
        </LinkButton>
      </ButtonRow>
      {retriesUsedUp && <RetryNotice phone={phone} />}
    </PayPage>
  )
}
