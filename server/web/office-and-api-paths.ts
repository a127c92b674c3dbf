/** Returns whether a path belongs to the office. */
export const isOfficePath = (path: string): boolean => /^\/office(?=$|[/.])/.test(path)

/** Returns whether a path belongs to the API, whose errors are not shown as pages. */
export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/')
