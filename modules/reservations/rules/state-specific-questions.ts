/** Questions that a renter is asked only in one state (spec 1 §4), by the facility's state code. */

/** Returns whether renters may name a designated agent, who also gets notices of default (Georgia). */
export const asksForDesignatedAgent = (state: string): boolean => state === 'GA'

/** Returns whether renters choose how notices of default reach them (South Carolina). */
export const asksForDefaultNotice = (state: string): boolean => state === 'SC'
