const collator = new Intl.Collator('en-US', { numeric: true })

/** Compares unit numbers in the order in which people count: '9' before '10', 'A2' before 'A10'. */
export const compareUnitNumbers = (a: string, b: string): number => collator.compare(a, b)
