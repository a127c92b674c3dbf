import * as v from 'valibot'
import { officeRoles } from '../../../domain/office/roles-and-permissions.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { scope } from './scope-input.ts'

export const staffId = v.pipe(plainLine, v.uuid())

/** Input schema of a staff member's roles, each with its scope. */
export const roles = v.pipe(v.array(v.object({ role: v.picklist(officeRoles), scope })), v.maxLength(50))

export const reason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))

/** Example input of operations on one staff member. */
export const staffExample = { staff_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c11' }
