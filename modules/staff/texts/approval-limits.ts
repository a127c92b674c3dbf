/** Labels and messages of the page on which the owner sets the staff's limits. */
import type { LimitedPermission } from '../rules/approval-limits.ts'

/** Labels of the permissions whose amount is limited for each operation and for a staff member's last 24 hours. */
export const limitNames: Record<LimitedPermission, string> = {
  'fee.waive': 'Waive a fee',
  'charge.add': 'Charge a fee',
  'lease.credit': 'Credit a lease',
  'money.refund': 'Refund a payment',
  'balance.settle': 'Settle for less',
  'balance.write-off': 'Write off a balance',
}
export const actAboveAll = 'At most $1,000.00: above it a second person decides, whatever the role.'
export const dayAboveAll = 'At most $1,000,000.00.'
export const dayBelowAct = 'The sum of 24 hours must not be below that of one act.'
export const notLimited = 'This role has no limit there.'
