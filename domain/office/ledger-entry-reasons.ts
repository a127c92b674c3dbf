/** Reasons from which a staff member chooses for a ledger entry. Each operation offers some of them (`reasons`). */
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

export const NOTE_MAX = 300

/** Returns a reason with its note, such as 'Our mistake: charged while autopay was down'. */
export const reasonText = (reason: EntryReason, note: string): string =>
  note === '' ? entryReasons[reason] : `${entryReasons[reason]}: ${note}`
