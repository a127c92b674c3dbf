import type { Callers, TenantCaller } from '../../../platform/operations/callers.ts'
import { asSent } from '../../../platform/operations/input-fields.ts'

/** Access rule of a signed-in account. The input names no other account: everything is looked up as the caller's. */
export const signedIn = { tenant: ({ accountId }: TenantCaller) => accountId !== '' }

export const accountOf = ({ tenant }: Callers): string => (tenant as TenantCaller).accountId

export const [id, token] = [asSent, asSent]

export const example = { input: { id: 'none', token: 'none' } }
