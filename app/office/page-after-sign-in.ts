import { sameSitePath } from '../request/same-site-path.ts'

/** Returns the office page to go to after sign-in: a path of the office, '/office' for anything else. */
export function nextPage(target: string | null | undefined): string {
  const path = sameSitePath(target, '/office')
  return /^\/office(?=$|[/?])/.test(path) && !/^\/office\/(sign-in|second-factor|join|sign-out)/.test(path)
    ? path
    : '/office'
}

export const withNext = (path: string, next: string): string =>
  next === '/office' ? path : `${path}?next=${encodeURIComponent(next)}`
