import { expect, test } from 'vitest'
import * as account from '../../domain/texts/account.ts'
import * as fields from '../../domain/texts/field-errors.ts'
import * as site from '../../domain/texts/general-errors.ts'
import * as payment from '../../domain/texts/payment.ts'
import * as portal from '../../modules/leases/texts/portal.ts'
import * as moveIn from '../../modules/move-in/texts/move-in.ts'
import * as discounts from '../../modules/pricing/texts/first-month-free.ts'
import * as fees from '../../modules/pricing/texts/full-day-access-fee-name.ts'
import * as reserve from '../../modules/reservations/texts/reserve.ts'
import { textsByCode } from './alert-texts-by-code.ts'

const phone = '(404) 555-0100'
const texts = Object.values({ ...textsByCode, ...discounts, ...fees }).map((text) =>
  typeof text === 'string' ? text : text(phone, 1 as never),
)

// A copy by hand of specified sentences: a change must be made here as well, on purpose.
const specified = [
  'Storage Made Simple.',
  'City, Zip Code...',
  'Not available',
  'No units available for this unit type. Please check again.',
  'Storing a Vehicle?',
  "Congrats! You're moved in!",
  "Where's my unit?",
  'Please wait, loading reservation info...',
  'A tenant with this email address already exists.',
  'Do you wish to continue with this tenant account?',
  'First Name required',
  'Last Name required',
  'Please enter correct Email ',
  'Email required',
  'Phone number must be 10 digits',
  'Phone required',
  'State must be valid',
  'Zip Code must be 5 digits',
  'You must confirm that the vehicle has valid and current insurance.',
  "Driver's License Number contains only digits",
  'Please select a coverage.',
  'Routing number should not be empty.',
  'Account number should not be empty.',
  'Failed to save reservation',
  "We're sorry, the last unit of that type has been rented. Please select another or call us at (404) 555-0100 for assistance.",
  'Internal server error, please try again.',
  'Unable to process the Payment: ',
  'Credit Card Expired',
  'Declined by Issuer',
  'Payment retry failed',
  'Unfortunately we have been unable to process your payment but your unit is still being held for you for 24 hours or until your requested move in date. When you are ready, you can complete your move in on our website, over the phone or using our on-site kiosk.',
  'Payment Failed',
  'Failed to process ACH payment. Please contact customer support.',
  'Invalid session!',
  'Authentication required. Please log in to access payment services.',
  'Invalid session. Tenant information not found.',
  'Invalid session. Location information not found.',
  'Invalid session. Account information not found.',
  'Invalid payment session. Please restart the payment process.',
  'Invalid lease session...',
  'Invalid tenant ID format.',
  'Invalid guest tenant session data.',
  'Guest tenant session not found.',
  'Something went wrong! Please enter correct information.',
  'Please enter correct email',
  'Security Answer required',
  'Passwords must match',
  'Confirm Password required',
  'Please enter correct information.',
  'Please enter the correct code.',
  'Failed to fetch guest tenant profile.',
  'Please contact customer service to make a payment - (404) 555-0100',
  'Your account is over 70 days delinquent, please call (404) 555-0100 and select option 3 to get more details on your account.',
  'We are still in the process of migrating your account information, please check back in 24-48 hours',
  'Reservation not found with this name',
  'Invalid URL. Please check with customer support.',
  'Tenant not found with this unit number',
  'Tenant not found with this email.',
  'Email not found.',
  'Login failed. Please try again.',
  'Account not found, please use the Sign Up button to register your account.',
  'Failed to send password reset email.',
  'New password saved.',
  'We were unable to locate your account, please log into your account or contact customer service at (404) 555-0100.',
  'We found your account, your gate code is on its way to your phone or email address.',
  'Payment not found',
  'Settlement payment session not found',
  'Invalid settlement payment data',
  'Account information not found',
  'Failed to initialize payment',
  'Something went wrong. Failed to schedule move out.',
  'SBOA not available',
  'Appointment confirmation failed. Error: ',
  'Failed to load location data, please try again later.',
  'No lease found, please try again later.',
  'Invalid lease number, please try again later.',
  'Error generating lease PDF. Please check your network.',
  'Profile update successfully.',
  'Invalid date',
  'Units Not Available',
  'First Month Free',
  '24 Hour Access Fee',
  'Credit Card Processing Fee',
]

test.each(specified)('has the specified sentence: %s', (text) => {
  expect(texts).toContain(text)
})

test('contains each message once', () => {
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})

test('defines each code in one file only', () => {
  const codes = [account, fields, moveIn, payment, portal, reserve, site].flatMap(Object.keys)
  expect(codes).toHaveLength(Object.keys(textsByCode).length)
})
