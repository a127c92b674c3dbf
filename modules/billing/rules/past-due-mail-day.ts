export const PAST_DUE_MAIL_AFTER_DAYS = 5
