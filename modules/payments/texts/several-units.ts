/** Returns the name of a unit in sentences: 'Unit 101'. */
export const unitNamed = (unitNumber: string): string => `Unit ${unitNumber}`

/** Maximum number of units listed by number; of more units, only the first three are listed. */
const MAX_LISTED = 6

/** Lists unit numbers: '101, 102, 103', or '101, 102, 103 and 37 more' for many. */
export const unitsNamed = (unitNumbers: readonly string[]): string =>
  unitNumbers.length > MAX_LISTED
    ? `${unitNumbers.slice(0, 3).join(', ')} and ${unitNumbers.length - 3} more`
    : unitNumbers.join(', ')

export const unitsChosen = (count: number): string =>
  count === 0 ? 'No unit chosen' : count === 1 ? '1 unit chosen' : `${count} units chosen`

export const nothingDueForChosen = 'Nothing is due for the chosen units.'

/** Returns the description of one unit's part of a payment for several units. */
export const severalUnitsDescription = (unitNumbers: readonly string[]): string =>
  `Part of one payment for ${unitsNamed(unitNumbers)}`

export const severalUnits = 'Pay for several units at once'

/** Reason why one of several chosen units cannot turn autopay on: autopay is on for it already. */
export const autopayOnAlready = 'Autopay is on already.'

export const chooseUnits = 'Choose at least one unit.'
