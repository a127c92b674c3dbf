import * as v from 'valibot'
import {
  isAccountNumber,
  isRoutingNumber,
  stripSeparators,
} from '../../../domain/bank-account-numbers-and-return-reasons.ts'
import { oneOf, required } from '../../../domain/forms/form-rules.ts'
import { chooseOne } from '../../../domain/texts/field-errors.ts'
import {
  accountNumberEmpty,
  accountNumberInvalid,
  accountNumbersDiffer,
  routingNumberEmpty,
  routingNumberInvalid,
} from '../../../domain/texts/payment.ts'

export const paymentMethod = v.object({
  method: oneOf(['CC', 'ACH'], chooseOne('a payment method')),
})

export const bankAccount = v.object({
  routing_number: v.pipe(
    v.nullish(v.string(routingNumberInvalid), ''),
    v.transform(stripSeparators),
    v.minLength(1, routingNumberEmpty),
    v.check(isRoutingNumber, routingNumberInvalid),
  ),
  account_number: v.pipe(
    v.nullish(v.string(accountNumberInvalid), ''),
    v.transform(stripSeparators),
    v.minLength(1, accountNumberEmpty),
    v.check(isAccountNumber, accountNumberInvalid),
  ),
})
export type BankAccount = v.InferOutput<typeof bankAccount>

/** Form of the bank pages. It asks for the account number twice, since a wrong digit is another account. */
export const bankForm = v.pipe(
  v.object({
    ...bankAccount.entries,
    confirm_account: v.pipe(v.nullish(v.string(accountNumbersDiffer), ''), v.transform(stripSeparators)),
    account_name: required('Name on the account', 100),
    account_type: oneOf(['Checking', 'Savings'], chooseOne('an account type')),
  }),
  v.forward(
    v.partialCheck(
      [['account_number'], ['confirm_account']],
      (form) => form.account_number === form.confirm_account,
      accountNumbersDiffer,
    ),
    ['confirm_account'],
  ),
)
export type BankForm = v.InferOutput<typeof bankForm>

/** Returns the account of a bank page's form, as the bank takes it. */
export const bankAccountOfForm = (form: BankForm) => ({
  name: form.account_name,
  routing: form.routing_number,
  account: form.account_number,
  type: form.account_type,
})
