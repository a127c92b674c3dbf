import { format } from '../money.ts'
import { fullCents } from './ledger-refusals-and-entry-descriptions.ts'

export const officeNotFound = 'There is nothing like that at your facilities.'
export const secondFactorNeeded = 'Please confirm with your second factor, then do this once more.'
export const wrongOfficeSignIn = 'E-mail and password do not belong together.'
export const wrongFactor = 'This code is not valid. Enter the newest one.'
export const signInOver = 'Your sign-in has ended. Please sign in again.'
export const invitationOver = 'This invitation has been taken up or is too old. Ask for a new one.'
export const passkeyNeeded = 'Your role signs in with a passkey or a recovery code.'
export const invitationNeeded =
  'Your role signs in with a passkey, and you have none. Ask an owner to mail you a new invitation.'
export const lastOwner = 'There must be an owner. Make another staff member an owner first.'
export const changedSince = 'This was changed since you opened it. Look at it again.'
export const openToSee = (changed: string): string => `${changed} Open the request to see what it would write now.`
export const alreadyDecided = 'This has been decided already.'
export const cannotDecideOwnRequest = 'Another person must decide what you asked for.'
export const onlyOwnRequestWithdrawn = 'Only the person who asked may withdraw a request.'
export const factorNotAdded = 'This could not be added. Please try again.'
export const lastFactor = 'Nothing else would sign you in. Add another second factor first.'
export const unknownFacilityOrState = (names: string) => `There is no facility or state ${names}.`
export const keyNameTaken = 'A working key has this name already. Choose another one, or revoke that key first.'
export const keyNotRotated =
  'The secret was not replaced: the key has ended, or the secret before it still works. Look at the key again.'
export const staffExists = 'A staff member with this e-mail address is on the list already.'
export const aboveYourLimit = 'This is above your own limit: Finance or the owner decides.'

export const searchTooShort = 'Type at least two letters or digits.'
export const searchTooLong = 'That is too long to look for. Type a name, a number or a code.'

export const gateCodeTaken = 'This code is in use at the facility. Choose another one, or leave it empty.'
export const gateCodeNotAllowed =
  'A code has six digits from 100001 to 999998, which neither all rise nor all fall. Leave it empty and one is drawn.'
export const noGateCode = 'The tenant has no open lease with a gate code here.'
export const notOverlocked = 'This unit is not overlocked.'
export const untilOutsideWindow = (first: string, last: string) => `Choose a day from ${first} to ${last}.`
export const moveOutFollowsAuction = 'The unit was sold at auction: its move-out follows the winner.'
export const moveOutAlreadyScheduled = 'A move-out is scheduled already.'
export const noMoveOutScheduled = 'No move-out is scheduled.'
export const leaseIsClosed = 'This lease is closed.'
export const alreadyInspected = 'This unit has been looked at already.'
export const returnDayInPast = 'Enter today or a later day.'
export const unitNotFree = 'This unit is taken, held or out of service.'
export const priceChangedAtDesk = (
  lines: readonly { label: string; before: number | null; now: number | null }[],
): string => {
  const changes = lines.map(({ label, before, now }) => {
    if (before !== null && now !== null) return `${label}: ${format(now)} instead of ${format(before)}`
    return now === null ? `${label}: no longer ${format(before ?? 0)}` : `${label}: ${format(now)}, new`
  })
  return changes.length === 0
    ? 'This is not the price that was shown. Look at it again, and hold the unit then.'
    : `The price has changed since this page showed it. ${changes.join('. ')}. Say the new one, and hold the unit then.`
}
export const unitInService = 'This unit is in service, or waits for its move-out to be verified.'
export const doNotRentTo = 'This tenant is marked "do not rent".'
export const noReservationHeld = 'No reservation is held for this tenant.'
export const nothingOwed = 'Nothing is owed on this lease.'
export const noEmailOnFile = 'There is no e-mail address on file.'
export const notOnlineYet = 'The facility opens soon. Its tenants cannot use the website before that.'
export const hasAccountAlready = 'The tenant has an online account already.'
export const lockAlreadyRecorded = (unit: string, state: 'on' | 'off') =>
  state === 'on' ? `The lock on ${unit} has been set already.` : `The lock on ${unit} has been taken off already.`
export const notOverlockedNow = (unit: string) => `Leave ${unit} open: it has been paid or let in since.`
export const nothingToSign = 'No terms wait to be signed on this lease.'
export const writeNote = 'Write something first.'
export const sayWhy = 'Say why.'
export const noteTooLong = (max: number) => `That is too long: at most ${max} characters.`
export const followUpDay = 'Give a day from today on, at most a year ahead: mm/dd/yyyy.'

const fieldNames: Record<string, string> = {
  reason: 'Why',
  because: 'Why',
  how: 'How',
  cents: 'Amount',
  email: 'E-mail',
  zip: 'ZIP code',
  on: 'Day',
  done_on: 'Day',
  bank_day: 'Day',
  until: 'Until',
  to_lease: 'Lease',
  check_number: 'Number',
  way: 'How',
}

const nameOfField = (name: string): string => {
  const words = (name.split('.')[0] ?? '').replace(/_(id|code)$/, '').replaceAll('_', ' ')
  return fieldNames[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns a field's error as a sentence that makes sense without the field's label.
 * @param message message of the operation's input schema, such as 'is required'
 */
export function fieldSentence(name: string, message: string): string {
  if (/^(is required|is missing|must be text or a number)$/.test(message) && nameOfField(name) === 'Why') return sayWhy
  const most = /^Invalid length: Expected <=(\d+)/.exec(message)?.[1]
  if (most) return `${nameOfField(name)} must have at most ${most} characters.`
  if (message.startsWith('Invalid '))
    return /_(on|date|day|from)$/.test(name) ? dayNeeded(nameOfField(name)) : `${nameOfField(name)} is not valid.`
  if (message === 'must be whole cents') return fullCents
  return /^[a-z]/.test(message) ? `${nameOfField(name)} ${message}.` : message
}

export const dollarsNeeded = 'Enter an amount in dollars and cents, such as 158.90.'

const dayNeeded = (field: string): string => `${field} must be a date: mm/dd/yyyy.`

export const gateUnreachable = 'The gate does not answer now, so it cannot be opened from here.'

export const gateOpensByFile = 'The gate is connected by a file, which cannot ask it to open. Open it by hand.'

export const gateOpenedTooOften = 'This gate has been opened from here twenty times in an hour. Wait, or go there.'
