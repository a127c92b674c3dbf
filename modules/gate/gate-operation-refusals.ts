import { refuse } from '../../platform/operations/outcome.ts'

export const restoreHeld = refuse(
  503,
  'held',
  'These books were put back to an earlier instant. The gate goes on by the list it has.',
  { retryAfter: 30 },
)
export const gateNotFound = refuse(404, 'no_gate', 'No gate that asks is connected at this facility.')
