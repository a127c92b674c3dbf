import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Erasures of tenants' data. */
    erasures: {
      /** Last day of the retention term; null when nothing is kept for a term, or no longer. */
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
