/** Staff members for tests of operations, signed in without the pages, and services that run approved operations. */
import { officeOperations } from '../../api/catalogue.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { inviteStaffMember } from '../../modules/staff/staff-members.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { visitor } from './small-operator.ts'

export type StaffCallers = Callers & { staff: StaffCaller }

/**
 * Adds a staff member and returns them as a caller.
 * @param at location codes, or 'all'
 */
export async function addStaffCaller(
  services: Services,
  role: OfficeRole,
  at: string[] | 'all' = 'all',
): Promise<StaffCallers> {
  const name = `${role} ${services.random.hex(3)}`
  const scopes = at === 'all' ? [{ all: true as const }] : at.map((facility) => ({ facility }))
  const invited = await services.db.transaction((tx) =>
    inviteStaffMember(tx, services, {
      email: `${name.replace(' ', '.')}@office.example`,
      name,
      roles: scopes.map((scope) => ({ role, scope })),
    }),
  )
  if (!invited) throw new Error(`${name} is known`)
  const facilities = at === 'all' ? at : new Set(at)
  return {
    ...visitor(),
    staff: {
      staffId: invited.staffId,
      name,
      signIn: '0123456789abcdef',
      // Counts as a recent proof of identity at any time of the test's clock.
      provenAt: Number.MAX_SAFE_INTEGER,
      roles: [{ role, facilities }],
    },
  }
}

/** Lets test services run an operation once its approval request is approved, as the server does. */
export const withApprovals = <S extends Services>(services: S): S =>
  Object.assign(services, {
    runApprovedOperation: (name: string, input: unknown, callers: Callers) => {
      const operation = officeOperations.find((officeOperation) => officeOperation.name === name)
      if (!operation) throw new Error(`No operation ${name}`)
      return perform(services, operation, input, callers)
    },
  })
