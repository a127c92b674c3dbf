/** The page where a unit of a type is picked; `unit` is the one that is chosen, or that has just gone. */
export const choosePath = (locationCode: string, unitTypeId: number, unit?: number | string): string =>
  `/choose/${locationCode}/${unitTypeId}${unit === undefined ? '' : `?unit=${encodeURIComponent(unit)}`}`
