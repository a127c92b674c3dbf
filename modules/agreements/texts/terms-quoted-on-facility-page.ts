/** Sentences of the rental agreement that the page of a facility quotes. */
import { LATE_FEE_AFTER_DAYS } from '../../billing/rules/late-fee-day.ts'
import { NOTICE_DAYS } from '../../rent-changes/rules/rent-change.ts'

export const changeTerms = `We may change the rent, the fees or these terms from the beginning of a period, with at least ${NOTICE_DAYS} days’ notice in writing. If you do not agree, move out before the change takes effect; if you stay, it is accepted.`

/**
 * Returns the sentence on the late fee.
 * @param fee as it is written, such as '$20.00'; null for none
 */
export const lateFeeTerm = (fee: string | null): string =>
  fee === null
    ? 'This agreement sets no late fee.'
    : `A period that is not paid ${LATE_FEE_AFTER_DAYS} days after it began carries a late fee of ${fee}, once, plus the tax on fees where there is one.`

/** Returns the sentences on access while a payment is late. A parking space has no door to lock. */
export const lateAccessTerm = (isSpace: boolean): string =>
  `While you are in default we may deny you access: your gate code may stop working${isSpace ? '' : ' and a lock of ours may be put on your unit'}. Pay what is due and access comes back.`
