/** Texts of the move-in pages and of the operations behind them. */
import { required } from '../../../domain/texts/field-errors.ts'

export const vehicleQuestion = 'Storing a Vehicle?'
export const moveInCompletedTitle = "Congrats! You're moved in!"
export const wheresMyUnit = "Where's my unit?"
/** Name of the service of 24-hour access through the gate, which renters can add for a fee. */
export const access24Hour = '24 Hour Access'
export const insuranceBrochure = 'Insurance Brochure'
export const brochureNotAvailable = 'SBOA not available'
export const makeRequired = 'Make required'
export const modelRequired = 'Model required'
export const colorRequired = 'Color required'
export const vehicleInsuranceUnconfirmed = 'You must confirm that the vehicle has valid and current insurance.'
export const renterUnder18 = 'You must be at least 18 years old to rent. Check the year you were born.'
export const licenseDigitsOnly = "Driver's License Number contains only digits"
export const selectCoverage = 'Please select a coverage.'
export const policyExpired = 'This policy has expired. Enter the date on which your present one ends.'
export const signerNameMissing = required('Full name')
export const signatureConsentMissing = 'Please agree to sign electronically, or call us to sign on paper.'
export const signerNameDiffers = 'Please give your full name as in the reservation.'
export const signatureNameDiffers = 'Please type your full name as in the lease.'
export const missingMoveInDate = 'Please choose your move-in date first.'
export const missingContact = 'Please give us your contact information first.'
export const missingDesignatedAgent = 'Please give us the details of your designated agent first.'
export const missingDefaultNotice = 'Please choose how you would like to receive default notices first.'
export const missingReservation = 'Please confirm your reservation first.'
export const missingVehicleAnswer = 'Please tell us whether you are storing a vehicle first.'
export const missingVehicleDetails = 'Please give us the details of your vehicle first.'
export const missingLienAnswer = 'Please tell us whether there is a lien holder first.'
export const missingLienDetails = 'Please give us the details of the lien holder first.'
export const missingInsurance = 'Please choose your insurance first.'
export const missingOwnInsurance = 'Please give us the details of your own insurance first.'
export const missingBrochure = 'Please look at the insurance brochure first.'
export const missingCustomerInfo = "Please give us your driver's license and personal information first."
export const missingAccessAnswer = 'Please tell us whether you would like 24-hour access first.'
export const missingMilitaryAnswer = 'Please tell us whether you are in the military first.'
export const missingMilitaryDetails = 'Please give us your military details first.'
export const missingSignature = 'Please review and sign your lease first.'
export const leaseChanged = 'Something in your lease has changed since you signed it. Please review it and sign again.'
export const missingPaymentMethod = 'Please choose how you would like to pay first.'
export const missingPayment = 'Please complete your payment first.'
export const alreadyRented = 'You have already rented this unit.'
