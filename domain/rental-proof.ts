/**
 * Proof that a draft is the renter's: it was begun in this browser, opened by the mailed link, or found by name and
 * digits.
 */
export type RentalProof = 'own' | 'link' | 'names'
