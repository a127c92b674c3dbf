/** Message of a refusal whose `fields` have a message for each rejected field. */
export const someFieldsInvalid = 'Some fields are missing or not valid.'
