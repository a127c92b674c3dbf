import { Link } from 'react-router'
import { counterMethods, methodNames } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { noChecks as noChecksSentence } from '../../modules/cash-drawers/texts/counter.ts'
import { SelectField } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import { AmountField, amountFieldName, counterPreviewFields } from './amount-field.tsx'
import type { loadReceiveForm } from './counter-payment-form.ts'
import { MoneyFormWithPreview } from './money-form-with-preview.tsx'
import type { MoneyState } from './preview-and-run-money-form.ts'

/** Form that receives a check, cash or a money order: an amount for each unit, check number and drawer. */
export function ReceivePanel({
  leases,
  drawers,
  noChecks,
  form,
  answer,
  cancel,
}: Awaited<ReturnType<typeof loadReceiveForm>> & { answer: MoneyState | undefined; cancel: string }) {
  if (drawers.length === 0)
    return (
      <p>
        No drawer is open. <Link to="/office/receipts">Open one</Link>, and what is received goes into it.
      </p>
    )
  const previewFields = counterPreviewFields(leases.map(({ number }) => number))
  return (
    <MoneyFormWithPreview form={form} answer={answer} verb="Receive" cancel={cancel} previewFields={previewFields}>
      {({ values, errors }) => (
        <>
          {leases.map((lease, index) => (
            <AmountField
              key={lease.number}
              name={amountFieldName(lease.number)}
              data-first={index === 0 || undefined}
              label={leases.length === 1 ? 'Amount' : `Amount for ${lease.unit}`}
              hint={lease.balance > 0 ? `Owes ${formatCents(lease.balance)}` : 'Owes nothing'}
              defaultValue={values[amountFieldName(lease.number)]}
              error={errors[amountFieldName(lease.number)]}
            />
          ))}
          <TextField
            name="check_number"
            label="Number"
            optional
            hint="None for cash"
            width={10}
            maxLength={30}
            autoComplete="off"
            defaultValue={values.check_number}
            error={errors.check_number}
          />
          <SelectField
            name="method"
            label="Method"
            hint={noChecks ? noChecksSentence : undefined}
            empty={null}
            options={counterMethods.map((value) => ({ value, label: methodNames[value] }))}
            defaultValue={values.method}
          />
          <SelectField
            name="drawer"
            label="Drawer"
            empty={values.drawer ? null : 'Choose one'}
            options={drawers}
            defaultValue={values.drawer}
            error={errors.drawer}
          />
        </>
      )}
    </MoneyFormWithPreview>
  )
}
