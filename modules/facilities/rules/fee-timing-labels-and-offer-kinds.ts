/** Kinds of a facility's offers besides its units. */
export const offerKinds = ['fee', 'plan', 'discount'] as const
export type OfferKind = (typeof offerKinds)[number]

/** When a fee is charged, as text. */
export const feeTimingLabels = {
  move_in: 'once, at the move-in',
  period: 'each 30 days',
  on_choice: 'each 30 days, where chosen',
  card: 'each card payment without autopay',
  late: 'ten days late',
  returned: 'where a check comes back',
} as const
