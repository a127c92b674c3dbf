import { Link } from 'react-router'
import { toWire } from '../../../../domain/money.ts'
import { spellOutCardLabel } from '../../../../modules/payments/rules/card-brand-and-expiry.ts'
import { RefundPayment } from '../../../../modules/refunds/operations/refund-payment.ts'
import { loadRefundableOrders } from '../../../../modules/refunds/views/refundable-orders.ts'
import { RadioCards } from '../../../ui/fields/choice.tsx'
import { formatCents } from '../../../ui/money.tsx'
import { AmountField } from '../../amount-field.tsx'
import { loadStoredFormOfPage } from '../../form-awaiting-second-factor.ts'
import { formatShortDay } from '../../ledger-table.tsx'
import { MoneyFormWithPreview, revalidateMoney } from '../../money-form-with-preview.tsx'
import { Section } from '../../office-page-heading-and-sections.tsx'
import { type OpenedLeasePage, openLeasePage } from '../../open-tenant-or-lease-page.ts'
import { parseDollars } from '../../parse-dollars.ts'
import {
  displayedLeaseFields,
  leaseInput,
  loadMoneyForm,
  type MoneyAct,
  moneyAction,
} from '../../preview-and-run-money-form.ts'
import { OperationPage, operationFactsOf } from '../lease-operation-page-frame.tsx'
import type { Route } from './+types/refund'

const previewFields = ['amount', 'way', 'afterwards']

const refundAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: RefundPayment,
  previewFields,
  input: (fields) => ({
    ...leaseInput(file, fields),
    order_id: fields.order_id ?? '',
    way: fields.way ?? '',
    afterwards: fields.afterwards ?? '',
    cents: parseDollars(fields.amount),
  }),
  at: { cents: 'amount' },
})

const isByCheckOnly = ({ refunded, ofSeveral }: { refunded: number; ofSeveral: boolean }) => ofSeveral || refunded > 0

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, RefundPayment)
  const orders = await loadRefundableOrders(file.services.db.read, file.lease)
  const requestedOrder =
    file.page.url.searchParams.get('order') ?? (await loadStoredFormOfPage(file.page))?.values.order_id
  const order = orders.find(({ orderId }) => orderId === requestedOrder) ?? orders[0] ?? null
  const about = operationFactsOf(file, 'money.refund')
  if (!order) return { about, order, others: [], form: null }
  const initialValues = {
    amount: toWire(order.remaining),
    way: isByCheckOnly(order) ? 'check' : 'provider',
    afterwards: 'owed',
  }
  return {
    about,
    order: { ...order, to: spellOutCardLabel(order.paidWith), on: formatShortDay(order.paidOn) },
    others: orders
      .filter(({ orderId }) => orderId !== order.orderId)
      .map((order) => ({
        id: order.orderId,
        on: formatShortDay(order.paidOn),
        to: spellOutCardLabel(order.paidWith),
        remaining: order.remaining,
      })),
    autopay: file.lease.autopay === 1,
    form: await loadMoneyForm(
      file.page,
      refundAct(file),
      { ...displayedLeaseFields(file), order_id: order.orderId },
      initialValues,
    ),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, RefundPayment)
  return moneyAction(file.page, args.request, refundAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that refunds a card or bank payment. */
export default function Refund({ loaderData, actionData }: Route.ComponentProps) {
  const { about, order, others, form } = loaderData
  return (
    <OperationPage about={about} title="Refund" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      {!order || !form ? (
        <p>
          Nothing can be refunded on this lease. Cash and checks taken at the office go back by a void or a returned
          check.
        </p>
      ) : (
        <>
          <p>
            {order.ofSeveral ? 'This unit’s part of a payment for several of' : 'Payment of'} {order.on} by {order.to}:{' '}
            <strong className="num">{formatCents(order.captured)}</strong>
            {order.refunded > 0 && <>, of which {formatCents(order.refunded)} has gone back</>}.{' '}
            <span className="soft">Order {order.orderId}</span>
          </p>
          <MoneyFormWithPreview
            form={form}
            answer={actionData}
            verb={about.needsApproval ? 'Ask for it' : 'Refund'}
            cancel={about.back}
            previewFields={previewFields}
          >
            {({ values, errors }) => (
              <RefundFields values={values} errors={errors} order={order} autopay={loaderData.autopay === true} />
            )}
          </MoneyFormWithPreview>
        </>
      )}
      {others.length > 0 && (
        <Section title="Other payments">
          <ul>
            {others.map((other) => (
              <li key={other.id}>
                {/* A full load, since the form above would keep its values on a client navigation. */}
                <Link to={`?order=${other.id}`} reloadDocument>
                  {other.on}, {other.to}
                </Link>{' '}
                <span className="num">{formatCents(other.remaining)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </OperationPage>
  )
}

function RefundFields({
  values,
  errors,
  order,
  autopay,
}: {
  values: Record<string, string>
  errors: Record<string, string>
  order: { to: string; captured: number; remaining: number; refunded: number; ofSeveral: boolean }
  autopay: boolean
}) {
  const owedAgain = autopay ? 'Autopay is on, and may charge it again.' : 'The lease owes it again from today.'
  return (
    <>
      <AmountField
        name="amount"
        label="How much"
        hint={`Up to ${formatCents(order.remaining)}.`}
        defaultValue={values.amount}
        error={errors.amount}
      />
      <div className="col-span-full">
        <RadioCards
          row
          name="way"
          legend="How"
          defaultValue={values.way}
          error={errors.way}
          options={[
            // The provider refunds only a whole payment, not one unit's part of it or what is left of it.
            ...(isByCheckOnly(order)
              ? []
              : [{ value: 'provider', label: `Back to ${order.to}`, detail: 'The whole payment, the way it came.' }]),
            { value: 'check', label: 'By check', detail: 'Finance writes it. A part goes this way.' },
          ]}
        />
      </div>
      <div className="col-span-full">
        <RadioCards
          row
          name="afterwards"
          legend="What it had paid"
          defaultValue={values.afterwards}
          error={errors.afterwards}
          options={[
            { value: 'owed', label: 'The charge stays owed', detail: owedAgain },
            { value: 'forgiven', label: 'Is forgiven too', detail: 'A credit of the same amount.' },
          ]}
        />
      </div>
    </>
  )
}
