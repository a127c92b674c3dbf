/** Flags that staff members set on a tenant, each with a hint at its effect. */
import { keysOf } from '../typed-keys.ts'
export const tenantFlags = {
  military: {
    label: 'Military',
    hint: 'On active duty: no auction without a court order.',
  },
  bankruptcy: { label: 'Bankruptcy', hint: 'A court protects them: no collection, no sale.' },
  no_checks: { label: 'No checks', hint: 'A check came back: cash, card or money order only.' },
  do_not_rent: { label: 'Do not rent', hint: 'No new lease without a manager.' },
  legal_hold: { label: 'Legal hold', hint: 'A claim is open: nothing of theirs is erased.' },
  no_calls: { label: 'No calls', hint: 'Write instead of calling.' },
} as const

export type TenantFlag = keyof typeof tenantFlags

export const flagNames = keysOf(tenantFlags)
