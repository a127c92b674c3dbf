/**
 * Returns whether a request to turn autopay on with a payment of the lease is dropped. A scheduled move-out prevents
 * autopay; a guest does not replace the card or account that the tenant chose for it.
 */
export const isAutopayDropped = (
  payer: string,
  lease: { scheduled_move_out: string | null; autopay: number },
): boolean => lease.scheduled_move_out !== null || (payer === 'guest' && lease.autopay === 1)
