import { VoidReceipt } from '../../modules/cash-drawers/operations/void-receipt.ts'
import type { Route } from './+types/receipt-void'
import { type OpenedReceipt, openReceipt, receiptHead } from './load-receipt-page.ts'
import { MoneyFormWithPreview, revalidateMoney } from './money-form-with-preview.tsx'
import { loadMoneyForm, type MoneyAct, moneyAction } from './preview-and-run-money-form.ts'
import { ReceiptVoidOrReturnFrame } from './receipt-void-or-return-frame.tsx'

const voidReceiptAct = ({ listed }: OpenedReceipt): MoneyAct => ({
  operation: VoidReceipt,
  previewFields: [],
  input: (fields) => ({
    location_code: listed.locationCode,
    receipt_id: listed.receiptId,
    reason: fields.reason ?? '',
    note: fields.note ?? '',
  }),
})

export async function loader(args: Route.LoaderArgs) {
  const opened = await openReceipt(args)
  return { head: receiptHead(opened), form: await loadMoneyForm(opened.page, voidReceiptAct(opened), {}) }
}

export async function action(args: Route.ActionArgs) {
  const opened = await openReceipt(args)
  return moneyAction(opened.page, args.request, voidReceiptAct(opened), `/office/receipts/${opened.listed.receiptId}`)
}

export const shouldRevalidate = revalidateMoney

/** Page that voids a receipt on the day it was written. */
export default function VoidPage({ loaderData, actionData }: Route.ComponentProps) {
  const { head, form } = loaderData
  return (
    <ReceiptVoidOrReturnFrame head={head} title="Void" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      <MoneyFormWithPreview form={form} answer={actionData} verb="Void" cancel={`/office/receipts/${head.id}`} />
    </ReceiptVoidOrReturnFrame>
  )
}
