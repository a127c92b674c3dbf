/** Sentences of the office's setup. */
export const nothingChanged = 'Nothing is different from what it was.'
export const webAboveStreet = 'The web rate must not be above the street rate.'
export const everywhereOnly = 'This is set for the whole site, by who holds the permission for all facilities.'
export const amountNamed = 'Its name says what it comes to. Retire it instead.'
