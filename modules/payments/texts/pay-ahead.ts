export const howFarAhead = 'How far ahead'

export const periodsNamed = (count: number): string =>
  count === 1 ? '1 period of 30 days' : `${count} periods of 30 days`

export const turnOnAutopay = 'Turn on autopay'
