import * as v from 'valibot'
import { refuse } from '../../platform/operations/outcome.ts'

/** The same for a facility that does not exist and for the office, which lets nothing. */
export const noFacility = () => refuse(404, 'location_not_found', 'There is no such location.')

export const trueFalse = (value: boolean) => (value ? 'True' : 'False')

export const number = () => v.number()
