/**
 * Acts by which staff write ledger entries. Stored in `entry_reasons`, because the kind of an entry alone does not tell
 * whether a credit forgave rent, moved a balance or wrote it off.
 */
const staffEntryActs = [
  'waive',
  'charge',
  'credit',
  'write-off',
  'move',
  'receive',
  'void',
  'return',
  'refund',
  'surplus',
] as const
export type EntryAct = (typeof staffEntryActs)[number]
