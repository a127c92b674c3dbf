/** Sentences of the office's setup. */
export const nothingChanged = 'Nothing is different from what it was.'
export const webAboveStreet = 'The web rate must not be above the street rate.'
export const everywhereOnly = 'This is set for the whole site, by who holds the permission for all facilities.'
export const amountNamed = 'Its name says what it comes to. Change that as well, or retire it.'
export const retiredAbove = 'What it belongs to is retired. Let that again first.'
/** @param units numbers of those that are rented or held */
export const stillLet = (units: string[]): string => {
  const few = units.slice(0, 5).join(', ')
  return `Still let: ${units.length === 1 ? 'unit' : `${units.length} units,`} ${few}${units.length > 5 ? ' and others' : ''}.`
}
export const facilityClosed = 'This facility has closed'
export const insteadOf = (name: string): string =>
  `${name} is offered in its place. Change that one, or retire it first.`
export const meaningStays = 'The site goes by this name. Keep it, or retire this and add another.'
export const accessOnChoice = 'Charge this one where it is chosen: otherwise who chooses it pays twice.'
export const formFieldsWrong = 'Some fields are missing or not valid.'
/** Of a field that somebody else has saved meanwhile. */
export const isNow = (text: string): string =>
  text === ''
    ? 'Somebody has emptied this since. Save again to put yours.'
    : `Somebody has changed this since to “${text.length > 200 ? `${text.slice(0, 200)}…` : text}”. Save again to put yours.`
