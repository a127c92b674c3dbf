/** The security question that an account has until another is chosen (spec 2 §9). */
export const DEFAULT_SECURITY_QUESTION_ID = 1
