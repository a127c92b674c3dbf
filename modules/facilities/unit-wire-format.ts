import * as v from 'valibot'
import { refuse } from '../../platform/operations/outcome.ts'

/** Refuses an unknown facility, and the operator's office in the same way. */
export const facilityNotFound = () => refuse(404, 'location_not_found', 'There is no such location.')

export const wireBoolean = (value: boolean) => (value ? 'True' : 'False')

export const numberSchema = () => v.number()
