/**
 * Returns a 404 response for a file that does not exist or is not the caller's. The empty body makes the server render
 * the not-found page, if the request was for a page.
 */
export const fileNotFoundResponse = (): Response => new Response(null, { status: 404 })
