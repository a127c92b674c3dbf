/** Texts of the consent to text messages and of its withdrawal. */

export const gateCodeTextConsent =
  'With a phone number, we send one text message to it. Message and data rates may apply. Reply STOP and we send no more.'

export const deskTextConsent =
  'They agree to text messages about this reservation. Message and data rates may apply; replying STOP ends them.'

/** Consent text below the phone field of a rental, which lets the renter agree to text messages. */
export const contactTextConsent =
  'Text me about my reservation, my gate code and my unit, one message each time I ask for one. Message and data rates may apply; replying STOP ends them. You can rent without it.'

/** Wording of the consent to text messages that a tenant gives in the profile. */
export const ownTextConsent =
  'Text me about my reservation, my gate code and my unit. Message and data rates may apply; replying STOP ends them.'

/**
 * Wording stored as the source of an opt-out from text messages that the tenant made in the profile, not by replying
 * STOP.
 */
export const stoppedInProfile = 'Turned off in the profile'
export const stoppedByOffice = 'No more texts, told to the office'

export const noCellPhone = 'There is no cell phone number on file.'
