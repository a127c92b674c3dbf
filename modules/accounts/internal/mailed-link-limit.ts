import type { Limit } from '../../../platform/rate-limit-counters.ts'

/** Limit per IP address on requests to mail a link to an address on file. */
export const mailedLinkLimit: Limit = { points: 5, perSeconds: 900, shared: true }
