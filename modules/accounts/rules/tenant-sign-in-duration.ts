/** Seconds that a tenant's sign-in and its cookie last (spec 1 §9). */
export const AUTH_COOKIE_SECONDS = 86_400
