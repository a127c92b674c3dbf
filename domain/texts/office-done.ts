/** What the page says that a person comes back to after an act; `?done=` holds the code. */
export const doneTexts = {
  asked: 'Asked for. A second person decides.',
  waived: 'Waived.',
  charged: 'Charged.',
  credited: 'Credited.',
  'written-off': 'Written off.',
  moved: 'Moved.',
  refunded: 'The refund is on its way.',
  approved: 'Approved.',
  refused: 'Refused.',
  retried: 'It is tried again.',
  ended: 'Ended.',
  paid: 'Recorded. The payer gets a mail.',
  posted: 'Counted.',
  'given-back': 'On its way back.',
  accepted: 'Accepted. The tenant gets a mail.',
  completed: 'Done.',
  taken: 'It is yours.',
  released: 'It is everybody’s again.',
} as const
export type DoneCode = keyof typeof doneTexts
