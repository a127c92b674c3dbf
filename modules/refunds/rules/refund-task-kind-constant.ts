/** Kind of the tasks for refunds that a staff member has to pay or check. */
export const REFUND_TASK = 'refund'
