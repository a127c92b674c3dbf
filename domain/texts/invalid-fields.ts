/** Sentence of a refusal that names the fields that are missing or not valid. */
export const someFieldsInvalid = 'Some fields are missing or not valid.'
