/** Sentences of the office. */
export const officeNotFound = 'There is nothing like that at your facilities.'
export const confirmAgain = 'Please confirm with your second factor, then do this once more.'
export const wrongOfficeSignIn = 'E-mail and password do not belong together.'
export const wrongFactor = 'This code is not valid. Enter the newest one.'
export const signInOver = 'Your sign-in has ended. Please sign in again.'
export const invitationOver = 'This invitation has been taken up or is too old. Ask for a new one.'
export const passkeyNeeded = 'Your role signs in with a passkey. Add one to go on.'
export const lastOwner = 'There must be an owner. Make somebody else one first.'
export const changedSince = 'Somebody has changed this since you opened it. Look at it again.'
export const alreadyDecided = 'This has been decided already.'
export const notYourOwn = 'Another person must decide what you asked for.'
export const factorNotAdded = 'This could not be added. Please try again.'
export const lastFactor = 'This is your only second factor. Add another one first.'
export const staffExists = 'Somebody with this e-mail address is on the list already.'
export const aboveYourLimit = 'This is above your own limit: Finance or the owner decides.'

/** A stale form, with what happened since: "Late fee of $20.00". */
export const changedMeanwhile = (what: readonly string[], balance: string): string =>
  `${what.length > 0 ? `Since you opened this, the ledger got: ${what.join(', ')}.` : 'The ledger has changed since you opened this.'} The balance is ${balance} now. Look at it again.`
export const writtenAlready = 'This has been written already.'
export const chooseWhy = 'Choose why.'
export const noteNeeded = 'Say in the note what it was.'
export const searchTooShort = 'Type at least two letters or digits.'
export const searchTooLong = 'That is too long to look for. Type a name, a number or a code.'
