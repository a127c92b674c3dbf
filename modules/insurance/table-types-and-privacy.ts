import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Proof of a tenant's own insurance; the file is served as an attachment only. */
    insurance_proofs: {
      unit_numbers: Json
      /** File name made from the first unit's number and the content's type; never the sender's. */
      file_name: string
      /** null while undecided. */
      decision: 'accepted' | 'refused' | null
    }
  }
}

export const insuranceCards: TableCards = {
  insurance_proofs: {
    file: 'insurance-proofs',
    name: 'Proofs of insurance',
    rows: 'tenant',
    by: 'proof_id',
    erasure: 'rows',
    shown: [
      'unit_numbers',
      'tenant_name',
      'tenant_email',
      'policy_number',
      'insurance_carrier',
      'expiration_date',
      'file_name',
      'created_at',
      'decision',
      'decided_at',
      'decided_because',
    ],
    hidden: ['proof_id', 'location_code', 'tenant_id', 'file_key', 'content_type', 'bytes'],
    document: { key: 'file_key', name: (row) => `insurance/${row.proof_id}-${row.file_name}` },
  },
}
