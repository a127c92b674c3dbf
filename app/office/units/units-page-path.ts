export const unitsPath = (location: string): string => `/office/units/${location}`
