/** Id of the security question that an account has by default (spec 2 §9). */
export const DEFAULT_SECURITY_QUESTION_ID = 1
