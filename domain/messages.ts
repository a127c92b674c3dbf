/**
 * Every sentence a person reads that the rules decide, by code, once. Texts of the two specifications stand to the letter
 * (a trailing space included); those of our own are set apart below. Texts with a phone number are functions of it.
 */

import { labels } from './labels.ts'

export const messages = {
  ...labels,

  // ── Fields (spec 1 §5, spec 2 §5) ───────────────────────────────────────────────────────────────────────────────────
  firstNameRequired: 'First Name required',
  lastNameRequired: 'Last Name required',
  emailIncorrect: 'Please enter correct Email ',
  emailRequired: 'Email required',
  phoneTenDigits: 'Phone number must be 10 digits',
  phoneRequired: 'Phone required',
  stateInvalid: 'State must be valid',
  zipFiveDigits: 'Zip Code must be 5 digits',
  makeRequired: 'Make required',
  modelRequired: 'Model required',
  colorRequired: 'Color required',
  vehicleInsuranceUnconfirmed: 'You must confirm that the vehicle has valid and current insurance.',
  licenseDigitsOnly: "Driver's License Number contains only digits",
  selectCoverage: 'Please select a coverage.',
  routingNumberEmpty: 'Routing number should not be empty.',
  routingNumberInvalid: 'Routing number is not valid.',
  accountNumberEmpty: 'Account number should not be empty.',
  invalidDate: 'Invalid date',
  accountEmailIncorrect: 'Please enter correct email',
  securityAnswerRequired: 'Security Answer required',
  passwordRequired: 'Password required',
  currentPasswordRequired: 'Current Password required',
  passwordsMustMatch: 'Passwords must match',
  confirmPasswordRequired: 'Confirm Password required',
  enterCorrectInformation: 'Please enter correct information.',
  enterCorrectCode: 'Please enter the correct code.',

  // ── Reserving ───────────────────────────────────────────────────────────────────────────────────────────────────────
  saveReservationFailed: 'Failed to save reservation',
  /** The storage system's ErrorMessage that stands for `unitsGone`. */
  unitsNotAvailable: 'Units Not Available',
  unitsGone: (phone: string) =>
    `We're sorry, the last unit of that type has been rented. Please select another or call us at ${phone} for assistance.`,
  tooManyReservations: (phone: string) =>
    `As many units as we can keep without a payment have been reserved here from your network today. Please rent yours now, or call us at ${phone}.`,
  tooManyRentals: (phone: string) =>
    `As many rentals as we can keep open have been started here from your network today. Please finish one of them, or call us at ${phone}.`,
  tooManyDraftsTitle: 'One moment, please',
  tooManyDrafts: 'Too many rentals were begun here from your network. Please try again in an hour, or call us.',
  unitTypeUnavailableTitle: 'Not available',
  unitTypeUnavailable: 'No units available for this unit type. Please check again.',
  tenantExists: 'A tenant with this email address already exists.',
  continueWithTenant: 'Do you wish to continue with this tenant account?',
  internalServerError: 'Internal server error, please try again.',
  lookupFailed: 'Something went wrong! Please enter correct information.',
  reservationNotFoundByName: 'Reservation not found with this name',

  // ── Paying ──────────────────────────────────────────────────────────────────────────────────────────────────────────
  unableToProcessPayment: 'Unable to process the Payment: ',
  cardExpired: 'Credit Card Expired',
  declinedByIssuer: 'Declined by Issuer',
  paymentRetryFailedTitle: 'Payment retry failed',
  paymentRetryFailed:
    'Unfortunately we have been unable to process your payment but your unit is still being held for you for 24 hours or until your requested move in date. When you are ready, you can complete your move in on our website, over the phone or using our on-site kiosk.',
  auctionRulesFirst: 'Please read the rules and press ‘I Understand’ before you pay.',
  /** The same after as many tries for those who hold no unit: tenants, guests, auction winners, settlements. */
  duesRetryFailed: (phone: string) =>
    `Unfortunately we have been unable to process your payment. You were not charged, and what is due has not changed. Please try another way to pay, or call ${phone}.`,
  paymentFailed: 'Payment Failed',
  achFailed: 'Failed to process ACH payment. Please contact customer support.',
  failedToInitializePayment: 'Failed to initialize payment',
  successful: 'Successful',
  auctionPrepped: (phone: string) => `Please contact customer service to make a payment - ${phone}`,
  over70Days: (phone: string) =>
    `Your account is over 70 days delinquent, please call ${phone} and select option 3 to get more details on your account.`,
  paymentNotFound: 'Payment not found',
  settlementSessionNotFound: 'Settlement payment session not found',
  invalidSettlementData: 'Invalid settlement payment data',
  accountInformationNotFound: 'Account information not found',
  invalidUrl: 'Invalid URL. Please check with customer support.',

  // ── Sessions ────────────────────────────────────────────────────────────────────────────────────────────────────────
  signerIsAnother: 'Please give your full name as in the reservation.',
  invalidSession: 'Invalid session!',
  authenticationRequired: 'Authentication required. Please log in to access payment services.',
  sessionTenantMissing: 'Invalid session. Tenant information not found.',
  sessionLocationMissing: 'Invalid session. Location information not found.',
  sessionAccountMissing: 'Invalid session. Account information not found.',
  invalidPaymentSession: 'Invalid payment session. Please restart the payment process.',
  invalidLeaseSession: 'Invalid lease session...',
  invalidTenantId: 'Invalid tenant ID format.',
  invalidGuestSession: 'Invalid guest tenant session data.',
  guestSessionNotFound: 'Guest tenant session not found.',
  guestProfileFailed: 'Failed to fetch guest tenant profile.',

  // ── Accounts, leases and the rest ───────────────────────────────────────────────────────────────────────────────────
  comingSoon: 'We are still in the process of migrating your account information, please check back in 24-48 hours',
  tenantNotFoundByUnit: 'Tenant not found with this unit number',
  tenantNotFoundByEmail: 'Tenant not found with this email.',
  emailNotFound: 'Email not found.',
  loginFailed: 'Login failed. Please try again.',
  accountNotFoundSignUp: 'Account not found, please use the Sign Up button to register your account.',
  resetEmailFailed: 'Failed to send password reset email.',
  newPasswordSaved: 'New password saved.',
  gateCodeNotFound: (phone: string) =>
    `We were unable to locate your account, please log into your account or contact customer service at ${phone}.`,
  gateCodeSent: 'We found your account, your gate code is on its way to your phone or email address.',
  mapNotAvailable: 'Map is not available for this location.',
  moveOutFailed: 'Something went wrong. Failed to schedule move out.',
  brochureNotAvailable: 'SBOA not available',
  appointmentFailed: 'Appointment confirmation failed. Error: ',
  locationDataFailed: 'Failed to load location data, please try again later.',
  noLeaseFound: 'No lease found, please try again later.',
  invalidLeaseNumber: 'Invalid lease number, please try again later.',
  leasePdfFailed: 'Error generating lease PDF. Please check your network.',
  profileUpdated: 'Profile update successfully.',
  noLongerNeeded: 'No Longer Needed',
  maintenanceIssue: 'Maintenance Issue',
  propertyIssue: 'Property Issue',
  rates: 'Rates',
  securityConcerns: 'Security Concerns',

  // ── Our own, where the specifications are silent ────────────────────────────────────────────────────────────────────
  required: (label: string) => `${label} required`,
  tooLong: (label: string, max: number) => `${label} must be ${max} characters or fewer`,
  tooShort: (label: string, min: number) => `${label} must be at least ${min} characters`,
  noWebAddress: (label: string) => `${label} must not contain a web address`,
  plainTextOnly: (label: string) => `${label} contains characters we cannot accept`,
  notText: (label: string) => `${label} must be text`,
  formUnreadable: 'We could not read this form. Please try again.',
  formTooLarge: 'The form is too large. A file may have 10 MB.',
  formWithoutLength: 'Please send the form with its length.',
  requestTooLate: 'The request took too long to arrive. Please try again.',
  siteIsBusy: 'We are very busy. Please try again in a moment.',
  failedOnOurSide: 'Something went wrong on our side. Please try again.',
  recordsOutOfReach: 'We cannot reach our records for a moment. Nothing was lost; please try again.',
  chooseOne: (label: string) => `Please choose ${label}.`,
  lastFourDigits: 'Enter the last 4 digits of the phone number',
  accountNumberInvalid: 'Account number is not valid.',
  starRatingInvalid: 'Choose from 1 to 5 stars',
  dateOutsideWindow: (earliest: string, latest: string) => `Choose a date from ${earliest} to ${latest}.`,
  paymentAlreadyProcessed: 'Payment already processed',
  /** Says nothing of whose it is: a guest may be no more than somebody who knows an e-mail address. */
  paymentUnderWay: 'A payment for this unit is already under way. Try again in a few minutes.',
  paymentStillChecked: 'The payment is still being checked.',
  cannotCancelPaying:
    'A payment for this reservation is under way, so it cannot be cancelled now. If you left the payment page without paying, try again in an hour, or call us.',
  holdExpired: 'Your hold on this unit has ended. Please choose a unit again.',

  // Why a step of the move-in still has to be done.
  lacksMoveInDate: 'Please choose your move-in date first.',
  lacksContact: 'Please give us your contact information first.',
  lacksDesignatedAgent: 'Please give us the details of your designated agent first.',
  lacksDefaultNotice: 'Please choose how you would like to receive default notices first.',
  lacksReservation: 'Please confirm your reservation first.',
  lacksVehicleAnswer: 'Please tell us whether you are storing a vehicle first.',
  lacksVehicleDetails: 'Please give us the details of your vehicle first.',
  lacksLienAnswer: 'Please tell us whether there is a lien holder first.',
  lacksLienDetails: 'Please give us the details of the lien holder first.',
  lacksInsurance: 'Please choose your insurance first.',
  lacksOwnInsurance: 'Please give us the details of your own insurance first.',
  lacksBrochure: 'Please look at the insurance brochure first.',
  lacksCustomerInfo: "Please give us your driver's license and personal information first.",
  lacksAccessAnswer: 'Please tell us whether you would like 24-hour access first.',
  lacksMilitaryAnswer: 'Please tell us whether you are in the military first.',
  lacksMilitaryDetails: 'Please give us your military details first.',
  lacksSignature: 'Please review and sign your lease first.',
  leaseChanged: 'Something in your lease has changed since you signed it. Please review it and sign again.',
  lacksPaymentMethod: 'Please choose how you would like to pay first.',
  lacksPayment: 'Please complete your payment first.',
  alreadyRented: 'You have already rented this unit.',
  resetOver: 'This reset has ended: the code was too old, or wrong too often. Please ask for another one.',
  tooManyTries: 'Too many tries. Please wait a little and try again.',
  passwordTooCommon: 'This password is one of those that are tried first. Choose another one.',
  passwordIsName: 'Your password must not be your e-mail address or username.',
  passwordBreached: 'This password is known from a data breach, so others may try it. Choose another one.',
  accountExistsAskPassword:
    'There is an online account with this e-mail already. Enter its password to add this unit to it, or reset it first.',
  unsentFilledIn:
    'Your sign-in had ended before this was saved. What you had entered stands here again: check it, and send it once more.',
  changedElsewhere: 'Your answers were changed in another window meanwhile. Please look at this page again.',

  // A tenant's units.
  moveOutIsScheduled: 'Your move-out is scheduled. We have sent you an e-mail with the details.',
  moveOutDayPassed: (day: string) =>
    `The day that was shown has passed. Your last day would now be ${day}: press Confirm again if that suits you.`,
  moveOutIsCancelled: 'Your move-out is cancelled. You keep your unit.',
  moveOutCannotBeCancelled: 'This move-out can no longer be cancelled. Please call us.',
  autopayIsOn: 'Autopay is on. What comes due is charged by itself, and you can turn that off at any time.',
  autopayIsOff: 'Autopay is off. Your card or bank account is not charged by itself any more.',
  payBeforeMoveOut: 'Please pay your current dues before you schedule a move-out.',
  duesFirst: 'Please pay your current dues first.',
  movingOut: 'A move-out is scheduled for this unit, so nothing can be paid ahead or by autopay any more.',

  policyExpired: 'This policy has expired. Enter the date on which your present one ends.',

  // A tenant's profile.
  profileFilledIn: 'What was missing is saved. What is on file stays as it is.',
  profileOnFile: 'Nothing was changed. What is on file can be changed by signing in or by calling us.',
  emailChanged: 'Your email address is changed.',
  deviceSignedOut: 'That device is signed out.',
  passkeyAdded: 'Your passkey is saved. You can sign in with it from now on.',
  passkeyRemoved: 'That passkey no longer signs in to your account.',
  passkeyRenamed: 'The passkey has its new name.',
  passkeyExpired: 'That took too long. Please try again.',
  passkeyRefused: 'This passkey did not work. Try another one, or use your password.',
  passkeyNeedsBrowser: 'This browser cannot make a passkey here. Use a current one with scripts turned on.',
  passkeyNotAdded: 'This passkey could not be saved. Please try again.',
  passkeysFull: 'Your account has as many passkeys as it can have. Remove one to add another.',
  signedOutElsewhere: 'You are signed out everywhere else.',

  // Bank accounts.
  accountNumbersDiffer: 'Account numbers do not match.',
} as const

type Catalogue = typeof messages
/** The codes whose text needs nothing filled in. */
export type MessageCode = { [Code in keyof Catalogue]: Catalogue[Code] extends string ? Code : never }[keyof Catalogue]
