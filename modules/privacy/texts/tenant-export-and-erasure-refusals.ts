/**
 * Returns the refusal of a further export of a tenant's data.
 * @param most number of exports allowed in 24 hours
 */
export const exportsSpent = (most: number) =>
  `You have exported ${most} tenants in the last 24 hours. Another staff member may export more now, or you tomorrow.`
export const erasedAlready = 'This tenant was erased before.'
export const erasureAsked = 'This erasure has been requested already. It is in the queue.'
export const notYetErasable = 'This tenant cannot be erased yet.'

/** Sentences about what must end before a tenant can be erased. */
export const erasureBlocks = {
  leased: (unit: string) => `Unit ${unit} is rented.`,
  owes: (unit: string, sum: string) => `Unit ${unit} owes ${sum}.`,
  credit: (unit: string, sum: string) => `Unit ${unit} has a credit of ${sum}: pay it out or write it off.`,
  reserved: (unit: string) => `Unit ${unit} is reserved.`,
  money: 'A payment or a refund is on its way.',
  counter: 'A check, cash or money order is not matched with the bank yet.',
  disputable: (until: string) => `The last payment can be disputed until ${until}.`,
  settlement: 'A settlement link is open.',
  lien: 'A lien case is open, or its surplus is still held.',
  task: 'Work about this tenant is open. Complete it first.',
  request: 'A request about this tenant waits for a decision.',
  flag: (label: string) => `The flag "${label}" is set.`,
}
