import { ReturnCheck } from '../../modules/cash-drawers/operations/return-check.ts'
import { returnReasons } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { loadReturnedCheckFee } from '../../modules/cash-drawers/views/load-returned-check-fee.ts'
import { SelectField } from '../ui/fields/choice.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/record-returned-check'
import { type OpenedReceipt, openReceipt, receiptHead } from './load-receipt-page.ts'
import { MoneyFormWithPreview, revalidateMoney } from './money-form-with-preview.tsx'
import { loadMoneyForm, type MoneyAct, moneyAction } from './preview-and-run-money-form.ts'
import { ReceiptVoidOrReturnFrame } from './receipt-void-or-return-frame.tsx'

const previewFields = ['fee']

const returnCheckAct = ({ listed }: OpenedReceipt): MoneyAct => ({
  operation: ReturnCheck,
  previewFields,
  input: (fields) => ({
    location_code: listed.locationCode,
    receipt_id: listed.receiptId,
    note: fields.note ?? '',
    // The preview does not depend on the bank's reason, which may not be chosen yet.
    bank_reason: fields.intent === 'act' ? (fields.reason ?? '') : 'nsf',
    fee: fields.fee !== 'no',
  }),
  at: { bank_reason: 'reason' },
})

export async function loader(args: Route.LoaderArgs) {
  const opened = await openReceipt(args)
  const fee = await loadReturnedCheckFee(opened.page.site.services, opened.listed)
  const form = await loadMoneyForm(opened.page, returnCheckAct(opened), {}, { fee: fee === 0 ? 'no' : 'yes' })
  return {
    head: receiptHead(opened),
    fee,
    form: { ...form, reasons: Object.entries(returnReasons).map(([value, label]) => ({ value, label })) },
  }
}

export async function action(args: Route.ActionArgs) {
  const opened = await openReceipt(args)
  return moneyAction(opened.page, args.request, returnCheckAct(opened), `/office/receipts/${opened.listed.receiptId}`)
}

export const shouldRevalidate = revalidateMoney

/** Page that records a check or money order as returned by the bank. */
export default function ReturnPage({ loaderData, actionData }: Route.ComponentProps) {
  const { head, fee, form } = loaderData
  return (
    <ReceiptVoidOrReturnFrame head={head} title="Returned:" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      <MoneyFormWithPreview
        form={form}
        answer={actionData}
        verb="Take back"
        cancel={`/office/receipts/${head.id}`}
        previewFields={previewFields}
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
      </MoneyFormWithPreview>
    </ReceiptVoidOrReturnFrame>
  )
}
