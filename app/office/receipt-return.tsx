import type { Cents } from '../../domain/money.ts'
import { returnReasons } from '../../domain/office/counter.ts'
import { ReturnCheck } from '../../modules/cash-drawers/operations/return-check.ts'
import { SelectField } from '../ui/fields/choice.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/receipt-return'
import { type MoneyAct, type MoneyForm, moneyAction, moneyForm } from './money-form.ts'
import { MoneyPanel, revalidateMoney } from './money-panel.tsx'
import { type OpenedReceipt, openReceipt, receiptHead } from './open-receipt.ts'
import { ReceiptActPage } from './receipt-act-page.tsx'

const moving = ['fee']

const returning = ({ listed }: OpenedReceipt): MoneyAct => ({
  operation: ReturnCheck,
  reasons: 'return',
  moving,
  input: (fields) => ({
    location_code: listed.locationCode,
    receipt_id: listed.receiptId,
    note: fields.note ?? '',
    // A preview is shown before the bank's reason is chosen.
    bank_reason: fields.intent === 'act' ? (fields.reason ?? '') : 'nsf',
    fee: fields.fee !== 'no',
  }),
  at: { bank_reason: 'reason' },
  done: 'returned',
})

export async function loader(args: Route.LoaderArgs) {
  const opened = await openReceipt(args)
  const charged = await moneyForm(opened.page, returning(opened), {}, { fee: 'yes' })
  const fee = feeIn(charged)
  const form = fee === 0 ? await moneyForm(opened.page, returning(opened), {}, { fee: 'no' }) : charged
  return {
    head: receiptHead(opened),
    fee,
    form: { ...form, reasons: Object.entries(returnReasons).map(([value, label]) => ({ value, label })) },
  }
}

/** The fee for the returned check with its tax, as its preview has it; 0 where the facility's list has none. */
const feeIn = ({ preview }: MoneyForm): Cents =>
  (preview?.leases ?? [])
    .flatMap(({ entries }) => entries)
    .reduce((sum, { kind, cents }) => (kind === 'fee' || kind === 'tax' ? sum + cents : sum), 0)

export async function action(args: Route.ActionArgs) {
  const opened = await openReceipt(args)
  return moneyAction(opened.page, args.request, returning(opened), `/office/receipts/${opened.listed.receiptId}`)
}

export const shouldRevalidate = revalidateMoney

/** A check that the bank did not pay. */
export default function ReturnPage({ loaderData, actionData }: Route.ComponentProps) {
  const { head, fee, form } = loaderData
  return (
    <ReceiptActPage head={head} title="Returned:" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      <MoneyPanel
        form={form}
        answer={actionData}
        verb="Take back"
        cancel={`/office/receipts/${head.id}`}
        moving={moving}
      >
        {({ values }) =>
          fee === 0 ? (
            <p>
              <input type="hidden" name="fee" value="no" />
              No fee is charged: the facility’s list has none for a returned check.
            </p>
          ) : (
            <SelectField
              name="fee"
              label="Fee for the returned check"
              options={[
                { value: 'yes', label: `Charge ${formatCents(fee)}, its tax included` },
                { value: 'no', label: 'None' },
              ]}
              empty={null}
              defaultValue={values.fee ?? 'yes'}
            />
          )
        }
      </MoneyPanel>
    </ReceiptActPage>
  )
}
