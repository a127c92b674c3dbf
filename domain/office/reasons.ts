/** Why a person of the office wrote an entry: chosen from a list, so that reports can count it. */
export const entryReasons = {
  courtesy: 'Courtesy',
  'first-time': 'First time late',
  'our-mistake': 'Our mistake',
  'charged-twice': 'Charged twice',
  'autopay-failed': 'Autopay failed, not the tenant',
  'price-promised': 'Price that was promised',
  'service-problem': 'Problem with the unit or site',
  hardship: 'Hardship',
  'missed-charge': 'Was not charged when due',
  damage: 'Damage or cleaning',
  'lock-cut': 'Lock cut',
  'returned-check': 'Check returned by the bank',
  'wrong-lease': 'Posted to the wrong lease',
  'wrong-amount': 'Posted with the wrong amount',
  'counter-payment': 'Paid by check, cash or money order',
  'tenant-asked': 'The tenant asked for it',
  'moved-units': 'Moved to another unit',
  'sale-surplus': 'Surplus of a sale',
  uncollectible: 'Cannot be collected',
  bankruptcy: 'Bankruptcy',
  deceased: 'Tenant has died',
  other: 'Something else',
} as const
export type EntryReason = keyof typeof entryReasons

/** What each act may be explained with, the most frequent first. */
export const reasonsOf = {
  waive: ['courtesy', 'first-time', 'our-mistake', 'charged-twice', 'autopay-failed', 'hardship', 'other'],
  charge: ['missed-charge', 'damage', 'lock-cut', 'returned-check', 'our-mistake', 'other'],
  credit: ['courtesy', 'our-mistake', 'price-promised', 'service-problem', 'hardship', 'other'],
  'write-off': ['uncollectible', 'bankruptcy', 'deceased', 'other'],
  move: ['wrong-lease', 'moved-units', 'tenant-asked', 'other'],
  receive: ['counter-payment', 'other'],
  void: ['wrong-lease', 'wrong-amount', 'charged-twice', 'other'],
  return: ['returned-check', 'other'],
  refund: ['charged-twice', 'our-mistake', 'tenant-asked', 'wrong-lease', 'other'],
  surplus: ['sale-surplus', 'other'],
} as const satisfies Record<string, readonly EntryReason[]>
export type ReasonedAct = keyof typeof reasonsOf

export const NOTE_MAX = 300

/** 'Our mistake', or with its note 'Our mistake: charged while autopay was down'. */
export const reasonText = (reason: EntryReason, note: string): string =>
  note === '' ? entryReasons[reason] : `${entryReasons[reason]}: ${note}`
