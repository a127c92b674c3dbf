/** An address that keeps where one wanted to go. @param next as `nextOf` answers it; '' for nowhere in particular */
export const withNext = (path: string, next: string): string =>
  next === '' ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
