import { createHash } from 'node:crypto'

/** What is kept of a bearer token. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')
