export const firstNameRequired = 'First Name required'
export const lastNameRequired = 'Last Name required'
export const emailIncorrect = 'Please enter correct Email '
export const emailRequired = 'Email required'
export const phoneTenDigits = 'Phone number must be 10 digits'
export const phoneRequired = 'Phone required'
export const stateInvalid = 'State must be valid'
export const zipFiveDigits = 'Zip Code must be 5 digits'
export const invalidDate = 'Invalid date'
export const required = (label: string) => `${label} required`
export const tooLong = (label: string, max: number) => `${label} must be ${max} characters or fewer`
export const tooShort = (label: string, min: number) => `${label} must be at least ${min} characters`
export const noWebAddress = (label: string) => `${label} must not contain a web address`
export const notPlain = 'contains characters we cannot accept'
export const plainTextOnly = (label: string) => `${label} ${notPlain}`
export const notText = (label: string) => `${label} must be text`
export const chooseOne = (label: string) => `Please choose ${label}.`
export const lastFourDigits = 'Enter the last 4 digits of the phone number'
