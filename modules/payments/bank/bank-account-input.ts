import * as v from 'valibot'
import { optionalText, text } from '../../../platform/operations/input-fields.ts'
import type { BankAccount } from '../../../ports/bank/bank.ts'
import { bankAccount } from '../rules/payment-method-and-bank-form.ts'

const ACH_ACCOUNT_TYPE = 'Checking'
const ACH_PROCESSING_DAY = '1'

/**
 * Input fields of a bank account: numbers, holder, type and debit day, which the specifications describe only in prose.
 */
export const accountFields = {
  /** The numbers are strings, since leading zeros count and 17 digits exceed a number's precision. */
  ACHAccountNumber: bankAccount.entries.account_number,
  ACHRoutingNumber: bankAccount.entries.routing_number,
  ACHAccountName: optionalText(100),
  ACHAccountType: v.optional(v.picklist(['Checking', 'Savings', ''], 'must be Checking or Savings'), ACH_ACCOUNT_TYPE),
  AutoAchProcessingDay: v.optional(
    v.pipe(text(2), v.picklist([ACH_PROCESSING_DAY, ''], `must be ${ACH_PROCESSING_DAY}`)),
    ACH_PROCESSING_DAY,
  ),
}

interface AccountInput {
  ACHAccountNumber: string
  ACHRoutingNumber: string
  ACHAccountName: string
  ACHAccountType: 'Checking' | 'Savings' | ''
}

/**
 * Returns the bank account that the input's ACH fields describe.
 * @param holder account holder's name, used when the input has none
 */
export const toBankAccount = (input: AccountInput, holder: string): BankAccount => ({
  name: input.ACHAccountName || holder,
  routing: input.ACHRoutingNumber,
  account: input.ACHAccountNumber,
  type: input.ACHAccountType || ACH_ACCOUNT_TYPE,
})
