import * as v from 'valibot'
import { plainLine } from '../../../platform/operations/input-fields.ts'

export const keyId = v.pipe(plainLine, v.regex(/^[0-9A-Za-z]{12}$/, 'is not the id of a key'))

export const keyExample = { key_id: '3f9a0c5d7b21' }
