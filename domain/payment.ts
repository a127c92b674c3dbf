/**
 * Seconds within which a repeated payment counts as the one whose response was lost (spec 2 §4, §9), in Cancun time.
 */
export const ALREADY_PROCESSED_SECONDS = 35
