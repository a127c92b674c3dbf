/** All columns with encrypted text. A missing one would lose its data when its key is retired. */

import { emailTokenContext } from '../modules/accounts/email-change.ts'
import { resetContext } from '../modules/accounts/password-reset.ts'
import { tokenContext } from '../modules/appointments/appointments.ts'
import { autopayContext, suspendedAutopayContext } from '../modules/leases/autopay-mandate.ts'
import { detailsContext } from '../modules/leases/lease.ts'
import { proofContext } from '../modules/liens/proof-file.ts'
import { paymentAliasContext, paymentBankContext } from '../modules/payments/payment.ts'
import { planContext } from '../modules/payments/sealed-details.ts'
import { draftSealContext } from '../modules/reservations/draft.ts'
import { approvalContext } from '../modules/staff/approvals.ts'
import { invitationContext } from '../modules/staff/invitations.ts'
import { keptFormContext } from '../modules/staff/kept-forms.ts'
import { totpContext } from '../modules/staff/mfa.ts'
import { identityContext } from '../modules/tenants/identity.ts'
import { daySealContext, resealContext } from '../platform/audit/day-seals.ts'
import type { SealedColumn } from '../platform/encryption/rotate-keys.ts'
import { tenantKeyContext } from '../platform/encryption/tenant-keys.ts'
import { idempotencyContext } from '../platform/operations/idempotency.ts'
import type { Tables } from '../platform/schema/tables.ts'

function sealed<T extends keyof Tables, K extends keyof Tables[T] & string>(
  table: T,
  column: keyof Tables[T] & string,
  key: readonly K[],
  context: (key: Pick<Tables[T], K>, json: Record<string, unknown>) => string,
  field?: string,
): SealedColumn {
  return { table, column, key, context: context as unknown as SealedColumn['context'], ...(field && { field }) }
}

const lease = ['location_code', 'lease_number'] as const
const caller = ['caller', 'key'] as const

export const sealedColumns: readonly SealedColumn[] = [
  sealed('tenants', 'identity_sealed', ['location_code', 'tenant_id'], (row) =>
    identityContext(row.location_code, row.tenant_id),
  ),
  sealed('tenant_keys', 'key_sealed', ['location_code', 'tenant_id'], (row) =>
    tenantKeyContext(row.location_code, row.tenant_id),
  ),
  sealed('leases', 'autopay_sealed', lease, (row) => autopayContext(row.location_code, row.lease_number)),
  sealed('leases', 'details', lease, (row) => detailsContext(row.location_code, row.lease_number), 'sealed'),
  sealed('move_outs', 'autopay_before', ['move_out_id', ...lease], suspendedAutopayContext),
  sealed('payments', 'plan', ['order_id'], (row) => planContext(row.order_id), 'sealed'),
  sealed('payments', 'alias_sealed', ['order_id'], (row) => paymentAliasContext(row.order_id)),
  sealed('payments', 'bank_sealed', ['order_id'], (row) => paymentBankContext(row.order_id)),
  sealed('rental_drafts', 'sealed_answers', ['draft_id'], (row) => draftSealContext(row.draft_id)),
  sealed('staff_factors', 'secret_sealed', ['factor_id', 'staff_id'], (row) => totpContext(row.staff_id)),
  sealed('lien_steps', 'file_secret_sealed', ['step_id'], (row) => proofContext(row.step_id)),
  sealed('approvals', 'input_sealed', ['approval_id'], (row) => approvalContext(row.approval_id)),
  sealed('audit_seals', 'hash_sealed', ['day'], (row) => daySealContext(row.day)),
  sealed('audit_reseals', 'hash_sealed', ['day'], (row) => resealContext(row.day)),
  sealed('kept_forms', 'fields_sealed', ['form_id'], (row) => keptFormContext(row.form_id)),
  sealed('reset_codes', 'code_sealed', ['reset_id'], (row) => resetContext(row.reset_id)),
  sealed('email_changes', 'token_sealed', ['change_id'], (row) => emailTokenContext(row.change_id)),
  sealed('idempotency', 'request_hash', caller, (row) => idempotencyContext(row.caller, row.key)),
  sealed('idempotency', 'answer', caller, (row) => idempotencyContext(row.caller, row.key)),
  sealed(
    'jobs',
    'payload',
    ['job_id'],
    (_, { staffId, appointmentId }) =>
      typeof staffId === 'string' ? invitationContext(staffId) : tokenContext(Number(appointmentId)),
    'link',
  ),
]
