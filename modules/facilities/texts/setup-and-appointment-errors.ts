/** Messages for facility setup, required terms and appointments. */

import { truncate } from '../../../domain/truncate.ts'

export const nothingChanged = 'Nothing is different from what it was.'
export const webAboveStreet = 'The web rate must not be above the street rate.'
export const wholeSiteOnly = 'This is set for the whole site, by who holds the permission for all facilities.'
export const amountInName = 'Its name says what it comes to. Change that as well, or retire it.'
export const parentRetired = 'What it belongs to is retired. Let that again first.'
/**
 * Returns the error for retiring units that are rented or held.
 * @param units unit numbers
 */
export const unitsStillRented = (units: string[]): string => {
  const few = units.slice(0, 5).join(', ')
  return `Still let: ${units.length === 1 ? 'unit' : `${units.length} units,`} ${few}${units.length > 5 ? ' and others' : ''}.`
}
export const gateStillConnected =
  'A gate is connected here. Disconnect it first: Setup, the facility, Gate, “No gate is connected”.'
export const offerNameTaken = (name: string): string =>
  `${name} is offered in its place. Change that one, or retire it first.`
export const reservedNameStays = 'The site goes by this name. Keep it, or retire this and add another.'
export const accessOnChoice = 'Charge this one where it is chosen: otherwise who chooses it pays twice.'
export const oneAccessFee = (amount: string): string =>
  `It is ${amount} for other unit types here. A facility has one amount for it: enter that, or change it first.`
/** Returns the error of a field that another staff member has saved meanwhile. */
export const fieldChangedMeanwhile = (text: string): string =>
  text === ''
    ? 'Another staff member has emptied this field since. Save again to use yours.'
    : `Another staff member has changed this since to “${truncate(text, 200)}”. Save again to use yours.`

export const noSuchLease = 'There is no such lease at this facility.'
export const noOpenLease = 'No lease is open here.'
export const noLeaseWaits = 'No lease waits for its tenant to accept the updated terms.'

export const appointmentTexts = {
  name: 'Enter a name.',
  email: 'Enter an e-mail address.',
  phone: 'Enter ten digits, or leave it empty.',
  day: 'Choose a day.',
  time: 'Enter an hour such as 14:30.',
  past: 'This is past.',
  skipped: 'The clocks are put forward then: there is no such hour.',
}
export const appointmentsElsewhere = 'The property-management system keeps the appointments. Make it there.'
