/** Seconds that a tenant's sign-in and its cookie last (spec 1 §9). */
export const AUTH_COOKIE_SECONDS = 86_400

/** Days for which an ended or expired sign-in is kept. The privacy page states them. */
export const SIGN_IN_RETENTION_DAYS = 90
