/** Seconds that a sign-in of a tenant or guest payer lasts unless it is extended, and that the session cookie lasts (spec 1 §9). */
export const AUTH_COOKIE_SECONDS = 86_400

/** Days for which an ended or expired sign-in is kept. The privacy page states them. */
export const SIGN_IN_RETENTION_DAYS = 90
