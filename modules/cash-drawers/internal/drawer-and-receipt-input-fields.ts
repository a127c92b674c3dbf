import * as v from 'valibot'
import { dollarsNeeded } from '../../../domain/texts/office-refusals.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { counterReceiptId, MAX_DRAWER_CENTS, MAX_RECEIPT_CENTS } from '../rules/counter-receipt-methods-and-states.ts'
import { amountTooLarge, drawerAmountTooLarge } from '../texts/counter.ts'

const typedCents = v.pipe(v.number(dollarsNeeded), v.safeInteger(dollarsNeeded), v.minValue(0, dollarsNeeded))

/** Schema of a typed amount in cents: a lease's share of a receipt, or a float. */
export const cents = v.pipe(typedCents, v.maxValue(MAX_RECEIPT_CENTS, amountTooLarge(MAX_RECEIPT_CENTS)))

/** Schema of a typed amount in cents: a drawer's count by one method, or the bank's amount of its deposit. */
export const drawerCents = v.pipe(typedCents, v.maxValue(MAX_DRAWER_CENTS, drawerAmountTooLarge(MAX_DRAWER_CENTS)))

export const batchId = v.pipe(plainLine, v.regex(/^[A-Z0-9]{4,24}$/, 'Choose a drawer.'))

export const receiptId = v.pipe(plainLine, v.regex(counterReceiptId, 'must be a receipt'))

/** Key of the drawer in examples of operations. */
export const drawer = { location_code: 'ATL01', batch_id: 'DR5A1F1A68' }

/** Key of the receipt in examples of operations. */
export const receipt = { location_code: 'ATL01', receipt_id: 'RC5A1F1A6801' }
