import { useState } from 'react'
import { Form } from 'react-router'
import {
  type CentsByMethod,
  type CounterMethod,
  countOrder,
  differenceReasons,
  methodNames,
  totalOfMethods,
} from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { differenceOf, differs } from '../../modules/cash-drawers/rules/drawer-difference.ts'
import { blindCountHint } from '../../modules/cash-drawers/texts/counter.ts'
import type { ExpectedCount } from '../../modules/cash-drawers/views/drawer-page.ts'
import { ButtonRow, SubmitButton } from '../ui/buttons.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'
import { parseDollars } from './parse-dollars.ts'

const fieldNames: Record<CounterMethod, string> = { cash: 'cash', check: 'checks', money_order: 'money_orders' }
const pluralNames: Record<CounterMethod, string> = { cash: 'Cash', check: 'Checks', money_order: 'Money orders' }

/** Converts the values of the form that counts a drawer to the fields of the count in the input of `CloseDrawer`. */
export const countFields = (values: FormValues) => ({
  ...Object.fromEntries(countOrder.map((method) => [fieldNames[method], parseDollars(values[fieldNames[method]])])),
  system: values.system ?? '',
  receipts: values.receipts ?? '',
  difference_reason: values.difference_reason ?? '',
  bag_number: values.bag_number ?? '',
})

/**
 * Table of a drawer count by method: receipts, expected and counted amounts, difference.
 * @param counted counted amounts in cents
 * @param cell renders a method's counted amount, such as an input; by default the amount is shown as text
 */
export function CountTable({
  system,
  number,
  counted,
  cell,
}: ExpectedCount & { counted: CentsByMethod; cell?: (method: CounterMethod) => React.ReactNode }) {
  const difference = differenceOf(counted, system)
  const formatSigned = (cents: number) => (
    <span className={cents === 0 ? 'soft' : 'font-semibold text-brick'}>
      {cents > 0 ? '+' : ''}
      {formatCents(cents)}
    </span>
  )
  return (
    <table className="office-table office-count max-w-[48rem]">
      <caption className="sr">By method: what the receipts say, and what was counted</caption>
      <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col" className="right wide-only">
            Receipts
          </th>
          <th scope="col" className="right">
            System
          </th>
          <th scope="col" className="right">
            Counted
          </th>
          <th scope="col" className="right">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {countOrder.map((method) => (
          <tr key={method}>
            <th scope="row">{pluralNames[method]}</th>
            <td className="right num wide-only">{number[method]}</td>
            <td className="right num">{formatCents(system[method])}</td>
            <td className="right num">{cell ? cell(method) : formatCents(counted[method])}</td>
            <td className="right num">{formatSigned(difference[method])}</td>
          </tr>
        ))}
        <tr className="office-after">
          <th scope="row">All</th>
          <td className="right num wide-only">{totalOfMethods(number)}</td>
          <td className="right num">{formatCents(totalOfMethods(system))}</td>
          <td className="right num">
            <strong>{formatCents(totalOfMethods(counted))}</strong>
          </td>
          <td className="right num">{formatSigned(totalOfMethods(difference))}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Returns a typed amount in cents; 0 while the text is not an amount, so that the totals stay readable. */
const centsOf = (text: string | undefined): number => {
  const cents = parseDollars(text)
  return Number.isNaN(cents) ? 0 : cents
}

/** Form for a blind count: expected amounts appear only after a count that differs, which then needs a reason. */
export function CountForm({
  formKey,
  answer,
}: {
  formKey: string
  answer: { values: FormValues; fields: FieldErrors; key: string; seen: ExpectedCount | null } | undefined
}) {
  const values = answer?.values.intent === 'close' ? answer.values : undefined
  const fields = answer?.values.intent === 'close' ? answer.fields : {}
  const expected = answer?.seen ?? null
  const initialAmounts: Record<string, string> = {
    cash: values?.cash ?? '',
    checks: values?.checks ?? '',
    money_orders: values?.money_orders ?? '',
  }
  const [amounts, setAmounts] = useState(initialAmounts)
  const counted: CentsByMethod = {
    cash: centsOf(amounts.cash),
    check: centsOf(amounts.checks),
    money_order: centsOf(amounts.money_orders),
  }
  const cell = (method: CounterMethod) => (
    <>
      <input
        className="input input-10 num right"
        name={fieldNames[method]}
        id={fieldNames[method]}
        aria-label={`${methodNames[method]} counted${method === 'cash' ? ', without the float' : ''}`}
        aria-invalid={fields[fieldNames[method]] ? true : undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={14}
        value={amounts[fieldNames[method]]}
        onChange={(event) => setAmounts({ ...amounts, [fieldNames[method]]: event.target.value })}
        required
      />
      {fields[fieldNames[method]] && (
        <span className="small font-semibold text-brick">{fields[fieldNames[method]]}</span>
      )}
    </>
  )
  return (
    <Form method="post" className="office-closing">
      <input type="hidden" name="key" value={answer?.key ?? formKey} />
      {expected && (
        <>
          <input type="hidden" name="system" value={totalOfMethods(expected.system)} />
          <input type="hidden" name="receipts" value={totalOfMethods(expected.number)} />
        </>
      )}
      {expected ? (
        <CountTable {...expected} counted={counted} cell={cell} />
      ) : (
        <BlindTable counted={counted} cell={cell} />
      )}
      <p className="soft small">
        Cash is counted without the float, which stays in the drawer. {!expected && blindCountHint}
      </p>
      <div className="office-inline">
        {expected && (
          <>
            <SelectField
              name="difference_reason"
              label="Why it differs"
              optional={!differs(differenceOf(counted, expected.system))}
              empty={differs(differenceOf(counted, expected.system)) ? 'Choose one' : 'It does not'}
              options={Object.entries(differenceReasons).map(([value, label]) => ({ value, label }))}
              defaultValue={values?.difference_reason}
              error={fields.difference_reason}
            />
            <TextField
              name="note"
              label="Note"
              optional
              maxLength={300}
              defaultValue={values?.note}
              error={fields.note}
            />
          </>
        )}
        <TextField
          name="bag_number"
          label="Bag or slip number"
          optional
          maxLength={40}
          defaultValue={values?.bag_number}
          error={fields.bag_number}
        />
      </div>
      <p role="status">
        To deposit <strong className="num">{formatCents(totalOfMethods(counted))}</strong>
      </p>
      <ButtonRow>
        <SubmitButton name="intent" value="close">
          Close drawer
        </SubmitButton>
      </ButtonRow>
    </Form>
  )
}

/** Table in which a drawer is counted by payment method, without the expected amounts. */
const BlindTable = ({
  counted,
  cell,
}: {
  counted: CentsByMethod
  cell: (method: CounterMethod) => React.ReactNode
}) => (
  <table className="office-table office-count max-w-[48rem]">
    <caption className="sr">By method: what was counted</caption>
    <thead>
      <tr>
        <th scope="col">Method</th>
        <th scope="col" className="right">
          Counted
        </th>
      </tr>
    </thead>
    <tbody>
      {countOrder.map((method) => (
        <tr key={method}>
          <th scope="row">{pluralNames[method]}</th>
          <td className="right num">{cell(method)}</td>
        </tr>
      ))}
      <tr className="office-after">
        <th scope="row">All</th>
        <td className="right num">
          <strong>{formatCents(totalOfMethods(counted))}</strong>
        </td>
      </tr>
    </tbody>
  </table>
)
