import { formatShort } from '../../../../domain/plain-date.ts'
import { WaiveCharge } from '../../../../modules/ledger/operations/waive-charge.ts'
import { loadWaivableFees } from '../../../../modules/ledger/views/fees-and-periods-to-correct.ts'
import { SelectField } from '../../../ui/fields/choice.tsx'
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
import type { Route } from './+types/waive'

const previewFields = ['entry_id']

const waiveAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: WaiveCharge,
  previewFields,
  input: (fields) => ({ ...leaseInput(file, fields), entry_id: fields.entry_id ?? '' }),
})

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, WaiveCharge)
  const fees = await loadWaivableFees(file.services.db.read, file.lease)
  const entryParam = file.page.url.searchParams.get('entry')
  const chosen = entryParam ?? fees[0]?.entry_id
  const options = fees.map((fee) => ({
    value: fee.entry_id,
    label: `${fee.description}, ${formatShort(fee.posted_on)}`,
  }))
  return {
    about: operationFactsOf(file),
    options,
    form: await loadMoneyForm(
      file.page,
      waiveAct(file),
      displayedLeaseFields(file),
      chosen ? { entry_id: chosen } : {},
    ),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, WaiveCharge)
  return moneyAction(file.page, args.request, waiveAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that waives a single fee with its tax. */
export default function Waive({ loaderData, actionData }: Route.ComponentProps) {
  const { about, options, form } = loaderData
  return (
    <OperationPage about={about} title="Waive a fee" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      {options.length === 0 ? (
        <p className="mt-4">There is no fee to waive on this lease. What is part of a period is credited instead.</p>
      ) : (
        <MoneyFormWithPreview
          form={form}
          answer={actionData}
          verb="Waive"
          cancel={about.back}
          previewFields={previewFields}
        >
          {({ values, errors }) => (
            <SelectField
              name="entry_id"
              label="Fee"
              options={options}
              empty={null}
              defaultValue={values.entry_id}
              error={errors.entry_id}
            />
          )}
        </MoneyFormWithPreview>
      )}
    </OperationPage>
  )
}
