export const makeAPayment = 'Make a Payment'
export const cardProcessingFee = 'Credit Card Processing Fee'
export const paymentCompleted = 'Payment Successfully Completed!'
export const enterBankAccountDetails = 'Enter Bank Account Details'
export const noEmailOnAccount = "I don't have an email address on my account"
export const iUnderstand = 'I Understand'
export const paymentConfirmation = 'Payment Confirmation'
export const accessInstruction = 'Access Instruction'
export const routingNumberEmpty = 'Routing number should not be empty.'
export const routingNumberInvalid = 'Routing number is not valid.'
export const accountNumberEmpty = 'Account number should not be empty.'
export const accountNumberInvalid = 'Account number is not valid.'
export const accountNumbersDiffer = 'Account numbers do not match.'
export const unableToProcessPayment = 'Unable to process the Payment: '
export const cardExpired = 'Credit Card Expired'
export const declinedByIssuer = 'Declined by Issuer'
export const paymentRetryFailedTitle = 'Payment retry failed'
export const paymentRetryFailed =
  'Unfortunately we have been unable to process your payment but your unit is still being held for you for 24 hours or until your requested move in date. When you are ready, you can complete your move in on our website, over the phone or using our on-site kiosk.'
export const auctionRulesFirst = 'Please read the rules and press ‘I Understand’ before you pay.'
export const paymentFailed = 'Payment Failed'
export const achFailed = 'Failed to process ACH payment. Please contact customer support.'
export const failedToInitializePayment = 'Failed to initialize payment'
export const successful = 'Successful'
export const auctionPrepped = (phone: string) => `Please contact customer service to make a payment - ${phone}`
export const over70Days = (phone: string) =>
  `Your account is over 70 days delinquent, please call ${phone} and select option 3 to get more details on your account.`
export const paymentNotFound = 'Payment not found'
export const settlementSessionNotFound = 'Settlement payment session not found'
export const invalidSettlementData = 'Invalid settlement payment data'
export const accountInformationNotFound = 'Account information not found'
export const invalidUrl = 'Invalid URL. Please check with customer support.'
export const authenticationRequired = 'Authentication required. Please log in to access payment services.'
export const invalidPaymentSession = 'Invalid payment session. Please restart the payment process.'
export const invalidLeaseSession = 'Invalid lease session...'
export const invalidTenantId = 'Invalid tenant ID format.'
export const invalidGuestSession = 'Invalid guest tenant session data.'
export const guestSessionNotFound = 'Guest tenant session not found.'
export const guestProfileFailed = 'Failed to fetch guest tenant profile.'
export const paymentAlreadyProcessed = 'Payment already processed'
/**
 * Message while another payment is in progress. It names no payer, because a guest payer, who may read it, has given
 * only an e-mail address, which proves nothing.
 */
export const paymentUnderWay = 'A payment for this unit is already under way. Try again in a few minutes.'
export const paymentStillChecked = 'The payment is still being checked.'
export const duesFirst = 'Please pay your current dues first.'
export const movingOut = 'A move-out is scheduled for this unit, so nothing can be paid ahead or by autopay any more.'
