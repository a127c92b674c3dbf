import { toWire } from '../../../../domain/money.ts'
import { MoveBalance } from '../../../../modules/ledger/operations/move-balance.ts'
import { loadNewestEntryIds } from '../../../../modules/standing/views/newest-ledger-entry-ids.ts'
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
import type { Route } from './+types/move-balance'

const previewFields = ['amount', 'to']

/**
 * Parses the selected option for the lease that a balance moves to: lease number, balance in cents and newest entry
 * when the form was opened, as in '10002 -5000 <entry>'.
 */
function parseTargetLease(text: string | undefined) {
  const [lease = '', balance = '', entry = ''] = (text ?? '').split(' ')
  return { to_lease: lease, to_balance: balance, to_newest_entry: entry }
}

const moveBalanceAct = (file: OpenedLeasePage): MoneyAct => ({
  operation: MoveBalance,
  previewFields,
  input: (fields) => ({
    ...leaseInput(file, fields),
    cents: parseDollars(fields.amount),
    ...parseTargetLease(fields.to),
  }),
  at: { cents: 'amount', to_lease: 'to', to_balance: 'to', to_newest_entry: 'to' },
})

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, MoveBalance)
  const { lease, leases, balance } = file
  const others = leases.filter((other) => other.lease_number !== lease.lease_number)
  const newestEntryIds = await loadNewestEntryIds(file.services.db.read, others)
  const options = others.map((other, index) => ({
    value: `${other.lease_number} ${other.balance} ${newestEntryIds[index] ?? ''}`,
    label: `Unit ${other.unit_number} (${other.status}), balance ${formatCents(other.balance)}`,
  }))
  const initialValues = { amount: toWire(Math.abs(balance)), to: options[0]?.value ?? '' }
  return {
    about: operationFactsOf(file),
    balance,
    options,
    form: await loadMoneyForm(file.page, moveBalanceAct(file), displayedLeaseFields(file), initialValues),
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, MoveBalance)
  return moneyAction(file.page, args.request, moveBalanceAct(file), operationFactsOf(file).back)
}

export const shouldRevalidate = revalidateMoney

/** Page that moves a balance due or a credit to another lease of the tenant. */
export default function MoveBalancePage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, balance, options, form } = loaderData
  return (
    <OperationPage about={about} title="Move a balance" failed={Object.keys(actionData?.fields ?? {}).length > 0}>
      {options.length === 0 || balance === 0 ? (
        <p className="mt-4">
          {balance === 0
            ? 'Nothing is owed and nothing stands to the credit of this lease.'
            : 'The tenant has no other lease at this facility.'}
        </p>
      ) : (
        <MoneyFormWithPreview
          form={form}
          answer={actionData}
          verb="Move"
          cancel={about.back}
          previewFields={previewFields}
        >
          {({ values, errors }) => (
            <>
              <AmountField
                name="amount"
                label={balance > 0 ? 'How much of what is owed' : 'How much of the credit'}
                defaultValue={values.amount}
                error={errors.amount}
              />
              <SelectField
                name="to"
                label="To"
                options={options}
                empty={null}
                defaultValue={values.to}
                error={errors.to}
              />
            </>
          )}
        </MoneyFormWithPreview>
      )}
    </OperationPage>
  )
}
