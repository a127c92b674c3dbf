import type { OfficeRole } from '../../domain/office/roles.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import { noon } from './rows.ts'

/** A person of the office as operations see them, who has just given the second factor. @param facilities location codes */
export const staffWith = (
  role: OfficeRole,
  facilities: 'all' | string[] = 'all',
): Callers & { staff: StaffCaller } => ({
  address: '203.0.113.9',
  agent: 'test browser',
  staff: {
    ...{ staffId: `the ${role}`, name: `The ${role}`, signIn: '0123456789abcdef', provenAt: noon },
    roles: [{ role, facilities: facilities === 'all' ? 'all' : new Set(facilities) }],
  },
})
