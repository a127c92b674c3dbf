import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    /** A tenant whose data were erased. */
    erasures: {
      /** Day on which the data kept for law or books is erased; null when nothing is kept. */
      kept_until: IsoDate | null
      /** Keys of files that are still to be deleted. */
      files: Json
    }
  }
}

export const privacyCards: TableCards = {
  erasures: {
    export: 'That and when data were erased: no person.',
    erasure: 'That and when data were erased: no person.',
  },
}
