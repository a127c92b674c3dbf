/** Where there is no such file, or not for this caller. It has no body: a person is shown the page of an unknown address. */
export const noFile = (): Response => new Response(null, { status: 404 })
