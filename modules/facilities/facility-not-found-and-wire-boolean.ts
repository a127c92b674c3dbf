import { refuse } from '../../platform/operations/outcome.ts'

/** Returns the 404 refusal for a facility that is unknown or not public, such as the operator's office. */
export const facilityNotFound = () => refuse(404, 'location_not_found', 'There is no such location.')

/** Formats a flag as 'True' or 'False', the wire form of those operations that do not send booleans. */
export const wireBoolean = (value: boolean) => (value ? 'True' : 'False')
