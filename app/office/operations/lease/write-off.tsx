import { WriteOffBalance } from '../../../../modules/ledger/operations/write-off-balance.ts'
import { MoneyFormWithPreview, revalidateMoney } from '../../money-form-with-preview.tsx'
import { type OpenedLeasePage, openLeasePage } from '../../open-tenant-or-lease-page.ts'
import {
  displayedLeaseFields,
  leaseInput,
  loadMoneyForm,
  type MoneyAct,
  moneyAction,
} from '../../preview-and-run-money-form.ts'
import { OperationPage, operationFactsOf } from '../lease-operation-page-frame.tsx'
import type { Route } from './+types/write-off'

const writeOffAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: WriteOffBalance,
  previewFields: [],
  input: (fields) => leaseInput(file, fields),
})

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, WriteOffBalance)
  return {
    about: operationFactsOf(file),
    form: await loadMoneyForm(file.page, writeOffAct(file), displayedLeaseFields(file)),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, WriteOffBalance)
  return moneyAction(file.page, args.request, writeOffAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that writes off the balance of a closed lease. */
export default function WriteOff({ loaderData, actionData }: Route.ComponentProps) {
  const { about, form } = loaderData
  return (
    <OperationPage
      about={about}
      title="Write off the balance"
      failed={Object.keys(actionData?.fields ?? {}).length > 0}
    >
      <MoneyFormWithPreview form={form} answer={actionData} verb="Write off" cancel={about.back} />
    </OperationPage>
  )
}
