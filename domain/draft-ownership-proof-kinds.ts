/**
 * Proof that a draft is the renter's. 'own': begun in this browser, or the renter is signed in; 'link': opened by the
 * personal link or the reservation code; 'names': found by last name and the last four digits of the phone.
 */
export type RentalProof = 'own' | 'link' | 'names'
