/** Leases, what was signed and shown for them, gate and locks. */
import { autopayContext, suspendedAutopayContext } from '../leases/autopay-mandate.ts'
import { openProof } from '../leases/liens/proof-file.ts'
import { detailsContext } from '../leases/start-lease.ts'
import { ofLeases, ofLeasesOrDrafts, ofLienCases, ofTenant } from './finders.ts'
import { holding } from './holding.ts'

const lienClaims = 'A claim about the lien or the sale can still be made.'
const books = 'The books need them: sums and days, without a name.'

export const leaseHoldings = [
  holding({
    ...{ table: 'leases', file: 'leases', name: 'Leases', rows: ofTenant, by: 'lease_number' },
    ...{ erasure: 'columns', why: books },
    shown: [
      ...(['lease_number', 'unit_number', 'reservation_code', 'status', 'move_in_date', 'paid_through'] as const),
      ...([
        'rent',
        'insurance_status',
        'insurance_premium',
        'autopay',
        'autopay_method',
        'autopay_consent_at',
      ] as const),
      ...([
        'scheduled_move_out',
        'move_out_reason',
        'terms_accepted_at',
        'overlocked',
        'closed_on',
        'balance',
      ] as const),
      ...(['next_rent', 'next_rent_from', 'imported', 'created_at', 'autopay_refusals'] as const),
    ],
    erased: ['insurance_notes', 'autopay_sealed', 'autopay_label', 'autopay_consent_text', 'details', 'gate_code'],
    hidden: [
      ...(['location_code', 'tenant_id', 'unit_id', 'unit_type_id', 'insurance_scheme_id', 'discount_id'] as const),
      ...(['auction_prepped', 'terms_required', 'document_id', 'order_id', 'autopay_refused_period'] as const),
      'lien_case',
    ],
    wiped: ['combo_code'],
    as: { insurance_notes: '{}', details: '{}' },
    opened: {
      autopay_sealed: (services, row) =>
        services.sealer.open(row.autopay_sealed ?? '', autopayContext(row.location_code, row.lease_number)),
      details: (services, row) => {
        const { sealed, ...details } = JSON.parse(row.details) as { sealed?: string }
        if (!sealed) return JSON.stringify(details)
        const opened = services.sealer.open(sealed, detailsContext(row.location_code, row.lease_number))
        return JSON.stringify({ ...details, ...JSON.parse(opened) })
      },
    },
  }),
  holding({
    ...{ table: 'lease_fees', file: 'lease-fees', name: 'Recurring fees', rows: ofLeases },
    ...{ erasure: 'columns', why: books },
    shown: ['lease_number', 'description', 'amount'],
    hidden: ['location_code', 'fee_id'],
  }),
  holding({
    ...{ table: 'gate_codes', file: 'gate-codes', name: 'Gate codes', rows: ofTenant, erasure: 'rows' },
    shown: ['gate_code', 'lease_number', 'time_zone_name', 'active', 'created_at'],
    hidden: ['location_code', 'tenant_id'],
  }),
  holding({
    ...{ table: 'gate_overrides', file: 'gate-overrides', name: 'Gate: suspended or lifted', rows: ofTenant },
    ...{ by: 'override_id', erasure: 'rows' },
    shown: ['lease_number', 'kind', 'holds_until', 'reason', 'created_at', 'ended_at'],
    hidden: ['override_id', 'location_code', 'tenant_id', 'staff_id'],
  }),
  holding({
    ...{ table: 'locks_seen', file: 'locks', name: 'Locks seen at the door', rows: ofLeases, by: 'lease_number' },
    erasure: 'rows',
    shown: ['lease_number', 'unit_number', 'state', 'note', 'seen_at'],
    hidden: ['location_code', 'staff_id'],
  }),
  holding({
    ...{ table: 'lease_documents', file: 'agreements', name: 'Signed leases with their evidence' },
    ...{ rows: ofLeasesOrDrafts, by: 'document_id', erasure: 'term' },
    why: 'A claim under the contract can still be made.',
    shown: ['document_id', 'lease_number', 'hash_before', 'hash_after', 'evidence', 'void', 'created_at'],
    hidden: ['location_code', 'draft_id', 'file_key'],
    document: { key: 'file_key', name: (row) => `agreements/${row.lease_number ?? 'not-used'}-${row.document_id}.pdf` },
  }),
  holding({
    ...{ table: 'insurance_proofs', file: 'insurance-proofs', name: 'Proofs of insurance', rows: ofTenant },
    ...{ by: 'proof_id', erasure: 'rows' },
    shown: [
      ...(['unit_numbers', 'tenant_name', 'tenant_email', 'policy_number', 'insurance_carrier'] as const),
      ...(['expiration_date', 'file_name', 'created_at', 'decision', 'decided_at', 'decided_because'] as const),
    ],
    hidden: ['proof_id', 'location_code', 'tenant_id', 'file_key', 'content_type', 'bytes'],
    document: { key: 'file_key', name: (row) => `insurance/${row.proof_id}-${row.file_name}` },
  }),
  holding({
    ...{ table: 'move_outs', file: 'move-outs', name: 'Move-outs', rows: ofTenant, by: 'move_out_id' },
    ...{ erasure: 'columns', why: 'When and why units were left, without a name.' },
    shown: ['lease_number', 'move_out_date', 'vacate_reason_id', 'reasons', 'star_rating', 'state', 'created_at'],
    erased: ['custom_note', 'comment', 'autopay_before'],
    hidden: ['move_out_id', 'location_code', 'tenant_id', 'cancelled_at'],
    opened: {
      autopay_before: (services, row) => services.sealer.open(row.autopay_before ?? '', suspendedAutopayContext(row)),
    },
  }),
  holding({
    ...{ table: 'rent_changes', file: 'rent-changes', name: 'Rent changes', rows: ofLeases, by: 'change_id' },
    ...{ erasure: 'columns', why: books },
    shown: ['lease_number', 'old_rent', 'new_rent', 'state', 'notice_on', 'not_before', 'applied_from', 'proposed_at'],
    hidden: [
      ...(['change_id', 'batch_id', 'location_code', 'tenant_id', 'wanted_from', 'reason', 'proposed_by'] as const),
      ...(['decided_by', 'decided_at', 'decided_because', 'ended_at'] as const),
    ],
  }),
  holding({
    ...{ table: 'transfers', file: 'transfers', name: 'Transfers', rows: ofTenant, by: 'transfer_id' },
    ...{ erasure: 'columns', why: books },
    shown: [
      ...(['lease_number', 'unit_number', 'to_unit_number', 'to_lease', 'starts_on', 'ends_on', 'state'] as const),
      ...(['moved_cents', 'opened_at', 'ended_at', 'reservation_code', 'overlap_days'] as const),
    ],
    hidden: ['transfer_id', 'location_code', 'tenant_id', 'opened_by'],
  }),
  holding({
    ...{ table: 'call_attempts', file: 'calls', name: 'Calls about what is owed', rows: ofTenant, by: 'call_id' },
    erasure: 'rows',
    shown: ['lease_number', 'outcome', 'note', 'called_on', 'called_at'],
    hidden: ['call_id', 'location_code', 'tenant_id', 'staff_id'],
  }),
  holding({
    ...{ table: 'payment_promises', file: 'promises', name: 'Promises to pay', rows: ofTenant, by: 'promise_id' },
    erasure: 'rows',
    shown: ['lease_number', 'promised_on', 'cents', 'note', 'made_on', 'made_at', 'replaced_at'],
    hidden: ['promise_id', 'location_code', 'tenant_id', 'staff_id'],
  }),
  holding({
    ...{ table: 'lien_steps', file: 'lien-steps', name: 'Steps of lien cases with their proofs', rows: ofLienCases },
    ...{ by: 'step_id', erasure: 'term', why: lienClaims },
    shown: ['step_id', 'case_id', 'step', 'state', 'done_on', 'way', 'note', 'file_name', 'recorded_at'],
    hidden: [
      ...(['location_code', 'details', 'file_key', 'file_type', 'file_secret_sealed', 'staff_id'] as const),
      ...(['second_staff_id', 'decided_at'] as const),
    ],
    document: { key: 'file_key', name: (row) => `liens/${row.step_id}-${row.file_name}`, open: openProof },
  }),
  holding({
    ...{ table: 'lien_cases', file: 'lien-cases', name: 'Lien cases', rows: ofTenant, by: 'case_id' },
    ...{ erasure: 'term', why: lienClaims },
    shown: [
      ...(['case_id', 'lease_number', 'unit_number', 'state', 'rules_version', 'default_from', 'owed'] as const),
      ...(['opened_on', 'ended_on', 'ended_because', 'surplus', 'surplus_until'] as const),
    ],
    hidden: [
      ...(['location_code', 'tenant_id', 'opened_at', 'opened_by', 'ended_at', 'ended_by', 'winner_uuid'] as const),
    ],
  }),
  holding({
    ...{ table: 'settlements', file: 'settlements', name: 'Settlements', rows: ofTenant, by: 'uuid' },
    ...{ erasure: 'columns', why: books },
    shown: ['lease_number', 'unit_number', 'facility_name', 'settlement_amount', 'state', 'created_at', 'paid_at'],
    erased: ['tenant_name'],
    hidden: ['uuid', 'location_code', 'tenant_id', 'order_id'],
    as: { tenant_name: 'Erased tenant' },
  }),
]
