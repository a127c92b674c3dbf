import type { IsoDate } from '../../../domain/plain-date.ts'

/** Returns the unit types that are not retired. Retired types remain for tenants who rent one. */
export const offeredTypes = <Type extends { retired_on: IsoDate | null }>({ unitTypes }: { unitTypes: Type[] }) =>
  unitTypes.filter((type) => type.retired_on === null)
