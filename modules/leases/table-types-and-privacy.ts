import type { ColumnType } from 'kysely'
import type { LeaseStatus } from '../../domain/lease-status.ts'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import { booksNeedIt, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { autopayContext } from './autopay-mandate.ts'
import { detailsContext } from './lease.ts'
import { leaseDetailsOf, sealedAnswersOf } from './renter-answers-stored-with-lease.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    leases: Record<'autopay' | 'auction_prepped', Flag> & {
      status: LeaseStatus
      paid_through: IsoDate
      /** 0 none, 1 the operator's plan, 2 the tenant's own policy, 3 a vehicle's policy. */
      insurance_status: 0 | 1 | 2 | 3
      /** For `insurance_status` 2, {carrier, policy_number, expiration_date} of the policy; for 3, the vehicle's data. */
      insurance_notes: Json
      autopay_method: '' | 'CC' | 'ACH'
      autopay_sealed: Sealed | null
      terms_required: Flag
      /** First day of the period that autopay was last refused for; null without a refusal. */
      autopay_refused_period: IsoDate | null
      /** Number of refusals for that period. */
      autopay_refusals: ColumnType<number, number | undefined>
      /** While 1, the gate refuses the code, unless a staff member has lifted the overlock. */
      overlocked: Flag | null
      details: Json
      /** Import record of an imported lease, whose move-in payment and signature are not in this database. */
      imported: Json | null
      /** Sum of the ledger in cents, negative for a credit. Triggers maintain it; database copies and repairs write it too. */
      balance: ColumnType<Cents, Cents | undefined, never>
    }
    lease_documents: {
      /** SHA-256, hex, of the agreement's text as read; `hash_after` is that of the stored PDF. */
      hash_before: string
      /**
       * `SignatureEvidence` of modules/agreements/internal/signature/signature-evidence.ts; for accepted updated terms,
       * {hashBefore, acceptedAt, address, agent}.
       */
      evidence: Json
      void: Flag
    }
  }
}

export const leasesCards: TableCards = {
  leases: {
    file: 'leases',
    name: 'Leases',
    rows: 'tenant',
    by: 'lease_number',
    erasure: 'columns',
    why: booksNeedIt,
    shown: [
      'lease_number',
      'unit_number',
      'reservation_code',
      'status',
      'move_in_date',
      'paid_through',
      'rent',
      'insurance_status',
      'insurance_premium',
      'autopay',
      'autopay_method',
      'autopay_consent_at',
      'scheduled_move_out',
      'move_out_reason',
      'terms_accepted_at',
      'overlocked',
      'closed_on',
      'balance',
      'next_rent',
      'next_rent_from',
      'imported',
      'created_at',
      'autopay_refusals',
    ],
    erased: ['insurance_notes', 'autopay_sealed', 'autopay_label', 'autopay_consent_text', 'details', 'gate_code'],
    hidden: [
      'location_code',
      'tenant_id',
      'unit_id',
      'unit_type_id',
      'insurance_scheme_id',
      'discount_id',
      'auction_prepped',
      'terms_required',
      'document_id',
      'order_id',
      'autopay_refused_period',
      'lien_case',
    ],
    wiped: ['combo_code'],
    as: { insurance_notes: '{}', details: '{}' },
    opened: {
      details: (services, row) => {
        const { sealed: _, ...details } = leaseDetailsOf(row)
        return JSON.stringify({ ...details, ...sealedAnswersOf(services, row) })
      },
    },
    sealed: {
      autopay_sealed: { context: (row) => autopayContext(row.location_code, row.lease_number) },
      details: { field: 'sealed', context: (row) => detailsContext(row.location_code, row.lease_number) },
    },
  },
  lease_fees: {
    file: 'lease-fees',
    name: 'Recurring fees',
    rows: 'leases',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['lease_number', 'description', 'amount'],
    hidden: ['location_code', 'fee_id'],
  },
  lease_documents: {
    file: 'agreements',
    name: 'Signed leases with their evidence',
    rows: 'leases or drafts',
    by: 'document_id',
    erasure: 'term',
    why: 'A claim under the contract can still be made.',
    shown: ['document_id', 'lease_number', 'hash_before', 'hash_after', 'evidence', 'void', 'created_at'],
    hidden: ['location_code', 'draft_id', 'file_key'],
    document: { key: 'file_key', name: (row) => `agreements/${row.lease_number ?? 'not-used'}-${row.document_id}.pdf` },
  },
}
