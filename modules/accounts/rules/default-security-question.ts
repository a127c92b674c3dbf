/** Id of the security question that an account gets if another one is not chosen (spec 2 §9). */
export const DEFAULT_SECURITY_QUESTION_ID = 1
