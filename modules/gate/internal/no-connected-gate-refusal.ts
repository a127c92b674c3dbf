import { refuse } from '../../../platform/operations/outcome.ts'

export const gateNotFound = refuse(404, 'no_gate', 'No gate that asks is connected at this facility.')
