/** The person, the account, and what they said before there was a lease. */
import { draftSealContext } from '../reservations/draft.ts'
import { identityContext } from '../tenants/identity.ts'
import { ofAccount, ofAccountOrTenant, ofCellPhone, ofDrafts, ofEmail, ofRecipient, ofTenant } from './finders.ts'
import { holding } from './holding.ts'

// Children stand before what they point to.
export const personHoldings = [
  holding({
    ...{ table: 'passkeys', file: 'passkeys', name: 'Passkeys', rows: ofAccount, by: 'passkey_id', erasure: 'rows' },
    shown: ['name', 'synced', 'created_at', 'last_used_at'],
    hidden: ['passkey_id', 'account_id', 'credential_id', 'public_key', 'counter', 'transports'],
  }),
  holding({
    ...{ table: 'sign_ins', file: 'sign-ins', name: 'Sign-ins to the portal', rows: ofAccountOrTenant },
    ...{ by: 'token_hash', erasure: 'rows' },
    shown: ['kind', 'agent', 'address', 'created_at', 'expires_at', 'ended_at'],
    hidden: ['token_hash', 'account_id', 'location_code', 'tenant_id', 'passkey_id'],
  }),
  holding({
    ...{ table: 'reset_codes', file: 'password-resets', name: 'Password resets', rows: ofAccount },
    ...{ by: 'reset_id', erasure: 'rows' },
    shown: ['created_at', 'expires_at', 'used_at'],
    hidden: ['reset_id', 'account_id', 'code_sealed', 'tries', 'matched_at'],
  }),
  holding({
    ...{ table: 'email_changes', file: 'email-changes', name: 'Changes of the e-mail address' },
    ...{ rows: ofAccountOrTenant, by: 'change_id', erasure: 'rows' },
    shown: ['old_email', 'new_email', 'state', 'created_at', 'expires_at', 'confirmed_at'],
    hidden: ['change_id', 'account_id', 'location_code', 'tenant_id', 'token_sealed'],
  }),
  holding({
    ...{ table: 'account_undos', file: 'account-changes', name: 'Changes of the account', rows: ofAccount },
    ...{ by: 'undo_id', erasure: 'rows' },
    shown: ['kind', 'email', 'username', 'state', 'created_at', 'expires_at'],
    hidden: ['undo_id', 'account_id', 'number', 'tenants'],
  }),
  holding({
    ...{ table: 'tenant_notes', file: 'notes', name: 'Notes', rows: ofTenant, by: 'note_id', erasure: 'rows' },
    shown: ['created_at', 'lease_number', 'note'],
    hidden: ['note_id', 'location_code', 'tenant_id', 'staff_id'],
  }),
  holding({
    table: 'tenant_keys',
    file: 'audit-key',
    name: 'Key of contact data in the audit',
    rows: ofTenant,
    erasure: 'rows',
    shown: ['created_at'],
    hidden: ['location_code', 'tenant_id', 'key_sealed'],
  }),
  holding({
    ...{ table: 'tenant_flags', file: 'flags', name: 'Flags', rows: ofTenant, erasure: 'rows' },
    shown: ['flag', 'note', 'set_at'],
    hidden: ['location_code', 'tenant_id', 'set_by'],
  }),
  holding({
    ...{ table: 'appointments', file: 'appointments', name: 'Appointments', rows: ofEmail },
    ...{ by: 'appointment_id', erasure: 'rows' },
    shown: ['name', 'email', 'phone', 'starts_at', 'state', 'option', 'created_at', 'answered_at'],
    hidden: ['appointment_id', 'location_code', 'token_hash', 'confirmation_source'],
  }),
  holding({
    ...{ table: 'waitlist', file: 'waits', name: 'Waits for a free unit', rows: ofEmail },
    ...{ by: 'waitlist_id', erasure: 'rows' },
    shown: ['unit_type_id', 'email', 'created_at', 'told_at'],
    hidden: ['waitlist_id', 'location_code', 'told_unit', 'mailed_at'],
  }),
  holding({
    ...{ table: 'mailbox', file: 'captured-mails', name: 'Mails and texts kept here', rows: ofRecipient },
    ...{ by: 'message_id', erasure: 'rows' },
    shown: ['created_at', 'channel', 'recipient', 'subject', 'text'],
    hidden: ['message_id', 'html', 'attachments'],
    files: (row) => (JSON.parse(row.attachments) as { file_key: string }[]).map((one) => one.file_key),
  }),
  holding({
    ...{ table: 'text_choices', file: 'text-messages', name: 'Consent to text messages, and STOP' },
    ...{ rows: ofCellPhone, by: 'choice_id', erasure: 'columns' },
    why: 'A number that said STOP is not texted again, and that it agreed is our proof.',
    shown: ['phone', 'choice', 'asked_at', 'wording', 'created_at'],
    hidden: ['choice_id', 'staff_id'],
  }),
  holding({
    ...{ table: 'resumed_rentals', file: 'resumed-rentals', name: 'Rentals resumed', rows: ofDrafts },
    ...{ by: 'resumed_id', erasure: 'rows' },
    shown: ['proof', 'created_at', 'left_at'],
    hidden: ['resumed_id', 'draft_id', 'existing_tenant'],
  }),
  holding({
    ...{ table: 'rental_drafts', file: 'rentals-begun', name: 'Rentals begun', rows: ofDrafts },
    ...{ by: 'draft_id', erasure: 'rows' },
    shown: ['unit_type_id', 'reservation_code', 'answers', 'sealed_answers', 'created_at', 'touched_at'],
    hidden: [
      'draft_id',
      'location_code',
      'tenant_id',
      'entered_tenant_id',
      'existing_tenant',
      'rent_now',
      'version',
      'left_at',
    ],
    opened: {
      sealed_answers: (services, row) => services.sealer.open(row.sealed_answers ?? '', draftSealContext(row.draft_id)),
    },
  }),
  holding({
    ...{ table: 'prospects', file: 'inquiries', name: 'Inquiries', rows: ofTenant, by: 'uuid', erasure: 'rows' },
    shown: [
      ...(['res_code', 'site_name', 'email_address', 'cell_phone', 'res_status', 'lease_status'] as const),
      ...(['reservation_date', 'required_date', 'move_in_date', 'extra_data', 'created_at'] as const),
    ],
    hidden: ['uuid', 'location_code', 'tenant_id'],
  }),
  holding({
    ...{ table: 'reservations', file: 'reservations', name: 'Reservations', rows: ofTenant },
    ...{ by: 'reservation_code', erasure: 'columns' },
    why: 'Which unit was held, and when: the history of the unit.',
    shown: [
      ...(['reservation_code', 'unit_number', 'status', 'street_rent', 'rent', 'agreed_discount'] as const),
      ...(['reservation_date', 'required_date', 'hold_until', 'lease_number', 'created_at'] as const),
    ],
    hidden: ['location_code', 'unit_id', 'unit_type_id', 'tenant_id', 'discount_id', 'hold_extended', 'unproven_from'],
  }),
  holding({
    ...{ table: 'tenants', file: 'contact', name: 'Name, contact data and licence', rows: ofTenant },
    ...{ erasure: 'columns', why: 'The tenant’s number, without a name.' },
    shown: ['location_code', 'tenant_id', 'grant_online_access', 'created_at', 'erased_at'],
    erased: [
      ...(['first', 'middle', 'last', 'company', 'email', 'cell_phone', 'home_phone', 'work_phone'] as const),
      ...(['address', 'city', 'state', 'zip', 'active_military', 'military', 'identity_sealed'] as const),
      ...(['company_address', 'company_city', 'company_state', 'company_zip'] as const),
      ...(['company_phone', 'company_email'] as const),
    ],
    wiped: ['account_id', 'first_key', 'last_key', 'email_key'],
    as: { first: 'Erased', last: 'tenant', military: '{}' },
    opened: {
      identity_sealed: (services, row) =>
        services.sealer.open(row.identity_sealed ?? '', identityContext(row.location_code, row.tenant_id)),
    },
  }),
  holding({
    ...{ table: 'accounts', file: 'account', name: 'Online account', rows: ofAccount, erasure: 'rows' },
    shown: ['username', 'email', 'created_at', 'password_changed_at'],
    hidden: ['account_id', 'password_hash', 'question_id', 'security_answer_hash', 'passkey_offer_declined_at'],
  }),
]
