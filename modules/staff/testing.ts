/** People of the office for tests of operations: on file, with roles, and their second factor just given. */
import type { OfficeRole } from '../../domain/office/roles.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { visitor } from '../../tests/support/small-operator.ts'

export type Person = Callers & { staff: StaffCaller }

/** Somebody with a role, for all facilities or some. */
export async function personOf(
  services: Services,
  role: OfficeRole,
  { at = 'all', name = role }: { at?: 'all' | string[]; name?: string } = {},
): Promise<Person> {
  const staffId = services.random.uuid()
  const now = services.clock.now()
  await services.db.write
    .insertInto('staff')
    .values({
      ...{ staff_id: staffId, email: `${staffId}@office.example`, name, password_hash: null },
      ...{ invite_hash: null, invite_expires_at: null, created_at: now, ended_at: null },
    })
    .execute()
  return {
    ...visitor(),
    staff: {
      ...{ staffId, name, signIn: '0123456789abcdef', provenAt: Number.MAX_SAFE_INTEGER },
      roles: [{ role, facilities: at === 'all' ? 'all' : new Set(at) }],
    },
  }
}

/** Lets a second person's approval run the operation that it is about. */
export function withApprovals<House extends Services>(
  services: House,
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input and output
  operations: readonly InternalOperation<any, any>[],
): House {
  services.approvedAct = (name, input, callers) => {
    const operation = operations.find((one) => one.name === name)
    if (!operation) throw new Error(`No operation ${name}`)
    return perform(services, operation, input, callers)
  }
  return services
}
