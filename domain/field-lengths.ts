/**
 * Length limits of form fields, in characters. They have a file of their own, so that a page can use them without
 * loading the validation rules.
 */
export const NAME_MAX = 60
export const ADDRESS_MAX = 140
export const EMAIL_MAX = 254
export const COMMENT_MAX = 500
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const CARD_ADDRESS_MAX = 50
