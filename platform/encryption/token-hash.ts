import { createHash } from 'node:crypto'

/** Hashes a bearer token (SHA-256, hex); only the hash is stored. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')
