export const heroTitle = 'Storage Made Simple.'
export const searchPlaceholder = 'City, Zip Code...'
export const submitReservation = 'Submit Reservation'
export const rentalInformation = 'Rental Information'
export const confirmReservation = 'Confirm Reservation'
export const moveInNow = 'Move-in Now'
export const continueRental = 'Continue your rental'
export const cancelReservation = 'Cancel reservation'
export const reservationCancelled = 'Your reservation was cancelled'
export const changeLocation = 'Change Location'
export const loadingReservation = 'Please wait, loading reservation info...'
export const reservationNotFound = 'Reservation not found'
export const browseAvailability = 'Browse Availability'
export const findExistingReservation = 'Find an Existing Reservation'
export const tellMeWhenFree = 'Tell me when one is free'
/** Time that a move-in takes, from the first question to the gate code, as the site states it. */
export const timeToMoveIn = 'about ten minutes'
export const tooManyWaits =
  'This e-mail address waits for as many sizes as we can keep a list for. We write to you when one of them is free.'
export const saveReservationFailed = 'Failed to save reservation'
/** ErrorMessage of the operations that reserve a unit; pages show `unitsGone` instead. */
export const unitsNotAvailable = 'Units Not Available'
export const unitsGone = (phone: string) =>
  `We're sorry, the last unit of that type has been rented. Please select another or call us at ${phone} for assistance.`
/** Sentence that follows `unitTaken`. It says "here", since another browser window may hold or pay for another unit. */
export const nothingReserved = 'Nothing was reserved or charged here.'
/**
 * Returns the sentence that a chosen unit is taken.
 * @param nearest number of the nearest free unit, null where none is free
 */
export const unitTaken = (number: string, nearest: string | null) =>
  `Unit ${number} has just been taken.${nearest === null ? '' : ` The nearest one free is ${nearest}.`}`
export const transferUnitTaken = 'This unit has just been taken. Choose another one.'
export const transferTypeTaken = 'The last unit of this size has just been taken. Choose another size.'
export const tooManyReservations = (phone: string) =>
  `As many units as we can keep without a payment have been reserved here from your network today. Please rent yours now, or call us at ${phone}.`
export const tooManyRentals = (phone: string) =>
  `As many rentals as we can keep open have been started here from your network today. Please finish one of them, or call us at ${phone}.`
/**
 * Returns the sentence for renters without proof of identity when almost all units of the type are held
 * (`exceedsUnprovenLimit`).
 */
export const lastUnitsKept = (phone: string) =>
  `Other renters hold almost all units of this size at this moment. Please log in, try again in 20 minutes, or call us at ${phone}: we have one for you.`
export const tooManyDraftsTitle = 'One moment, please'
export const tooManyDrafts =
  'Too many rentals were begun here from your network. Please try again in an hour, or call us.'
export const unitTypeUnavailableTitle = 'Not available'
export const unitTypeUnavailable = 'No units available for this unit type. Please check again.'
export const tenantExists = 'A tenant with this email address already exists.'
export const continueWithTenant = 'Do you wish to continue with this tenant account?'
export const lookupFailed = 'Something went wrong! Please enter correct information.'
export const reservationNotFoundByName = 'Reservation not found with this name'
export const appointmentFailed = 'Appointment confirmation failed. Error: '
export const dateOutsideWindow = (earliest: string, latest: string) => `Choose a date from ${earliest} to ${latest}.`
export const cannotCancelPaying =
  'A payment for this reservation is under way, so it cannot be cancelled now. If you left the payment page without paying, try again in an hour, or call us.'
export const anotherUnitHeld =
  'You hold a unit of this size already. To have another one instead, cancel that reservation first.'
export const holdExpired = 'Your hold on this unit has ended. Please choose a unit again.'
