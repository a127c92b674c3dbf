import { addDays, formatShort } from '../../../../domain/plain-date.ts'
import { CreditLease } from '../../../../modules/ledger/operations/credit-lease.ts'
import { creditablePeriods } from '../../../../modules/ledger/rules/staff-period-credit-entries.ts'
import { loadPeriodEntries } from '../../../../modules/ledger/views/fees-and-periods-to-correct.ts'
import { SelectField } from '../../../ui/fields/choice.tsx'
import { formatCents } from '../../../ui/money.tsx'
import { AmountField } from '../../amount-field.tsx'
import { MoneyFormWithPreview, revalidateMoney } from '../../money-form-with-preview.tsx'
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
import type { Route } from './+types/credit'

const previewFields = ['amount', 'period_start']

/** Maximum number of days between the first day of a period that the page offers to credit and today. */
const MAX_AGE_DAYS = 730

const creditAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: CreditLease,
  previewFields,
  input: (fields) => ({
    ...leaseInput(file, fields),
    cents: parseDollars(fields.amount),
    period_start: fields.period_start ?? '',
  }),
  at: { cents: 'amount' },
})

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, CreditLease)
  const from = addDays(file.facts.today, -MAX_AGE_DAYS)
  const periods = creditablePeriods(await loadPeriodEntries(file.services.db.read, file.lease, { from }))
  return {
    about: operationFactsOf(file, 'lease.credit'),
    options: periods.map(({ start, end, remaining }) => ({
      value: start,
      label: `${formatShort(start)} to ${formatShort(end)}, ${end.slice(0, 4)}: up to ${formatCents(remaining)}`,
    })),
    form: await loadMoneyForm(
      file.page,
      creditAct(file),
      displayedLeaseFields(file),
      periods[0] ? { period_start: periods[0].start } : {},
    ),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, CreditLease)
  return moneyAction(file.page, args.request, creditAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that credits a charged period in part or whole. */
export default function Credit({ loaderData, actionData }: Route.ComponentProps) {
  const { about, options, form } = loaderData
  return (
    <OperationPage about={about} title="Credit the lease" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      {options.length === 0 ? (
        <p className="mt-4">No period of this lease has been charged here, or nothing is left of any to credit.</p>
      ) : (
        <MoneyFormWithPreview
          form={form}
          answer={actionData}
          verb={about.needsApproval ? 'Ask for it' : 'Credit'}
          cancel={about.back}
          previewFields={previewFields}
        >
          {({ values, errors }) => (
            <>
              <AmountField
                name="amount"
                label="How much"
                hint="Before tax; its tax goes with it."
                defaultValue={values.amount}
                error={errors.amount}
              />
              <SelectField
                name="period_start"
                label="For"
                options={options}
                empty={null}
                defaultValue={values.period_start}
                error={errors.period_start}
              />
            </>
          )}
        </MoneyFormWithPreview>
      )}
    </OperationPage>
  )
}
