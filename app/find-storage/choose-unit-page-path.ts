/** Returns the path of the page where a visitor picks a unit of a type. @param unit id of the unit to show as chosen */
export const choosePath = (locationCode: string, unitTypeId: number, unit?: number | string): string =>
  `/choose/${locationCode}/${unitTypeId}${unit === undefined ? '' : `?unit=${encodeURIComponent(unit)}`}`
