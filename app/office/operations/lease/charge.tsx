import { chooseFee } from '../../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { AddCharge } from '../../../../modules/ledger/operations/add-charge.ts'
import { chargeableFees } from '../../../../modules/ledger/views/fees-and-periods-to-correct.ts'
import { SelectField } from '../../../ui/fields/choice.tsx'
import { formatCents } from '../../../ui/money.tsx'
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
import type { Route } from './+types/charge'

const previewFields = ['fee_id']

const chargeAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: AddCharge,
  previewFields,
  input: (fields) => ({ ...leaseInput(file, fields), fee_id: fields.fee_id ?? '' }),
})

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, AddCharge)
  return {
    about: operationFactsOf(file, 'charge.add'),
    options: chargeableFees(file.facts, file.lease.unit_type_id).map((fee) => ({
      value: String(fee.fee_id),
      label: `${fee.description}, ${formatCents(fee.amount)}`,
    })),
    form: await loadMoneyForm(file.page, chargeAct(file), displayedLeaseFields(file)),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, AddCharge)
  return moneyAction(file.page, args.request, chargeAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that charges a fee from the facility's list. */
export default function Charge({ loaderData, actionData }: Route.ComponentProps) {
  const { about, options, form } = loaderData
  return (
    <OperationPage about={about} title="Charge a fee" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      <MoneyFormWithPreview
        form={form}
        answer={actionData}
        verb={about.needsApproval ? 'Ask for it' : 'Charge'}
        cancel={about.back}
        previewFields={previewFields}
      >
        {({ values, errors }) => (
          <SelectField
            name="fee_id"
            label="Fee"
            options={options}
            empty={chooseFee.replace('.', '')}
            defaultValue={values.fee_id}
            error={errors.fee_id}
          />
        )}
      </MoneyFormWithPreview>
    </OperationPage>
  )
}
