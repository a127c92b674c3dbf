/** Reasons for refunding captured money, by the payment's `trouble`. Page and mail use the same text. */
const refundReasons: Record<string, string> = {
  unit_lost: 'The unit was taken while your payment was on its way, and no other of its type was left.',
  already_rented: 'The unit had been paid for already.',
  lease_void: 'The lease was signed again after this payment had begun.',
  reservation_cancelled: 'The reservation had been given up for another one.',
  already_paid: 'What it was for had been paid already.',
  moving_out: 'A move-out had been scheduled by the time your payment arrived, so there was nothing to pay ahead.',
  lease_closed: 'The lease had ended when your payment arrived.',
  link_withdrawn: 'The link that you paid by had been withdrawn by the time your payment arrived.',
  review_refused: 'What was charged was not what you agreed to.',
}

/** Reason for a payment of several units, one of which was paid meanwhile. */
const oneOfThemPaid =
  'One of the units had been paid for meanwhile, and a payment for several counts for all of them or for none. What is still due stands on My Units.'

/** Returns the reason for refunding captured money, for page and mail. */
export function refundReason(trouble: string | null, payer?: string): string {
  if (payer === 'units' && trouble === 'already_paid') return oneOfThemPaid
  return refundReasons[trouble ?? ''] ?? 'It could not be counted for what it was meant for.'
}
