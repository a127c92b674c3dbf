import * as v from 'valibot'
import { loadMessageState } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { mailStateResponse, respondWithMailState } from '../../../platform/operations/mail-state-response.ts'
import { operation } from '../../../platform/operations/operation.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadOwnPayment } from '../../payments/load-own-payment-and-compare-stated-fields.ts'
import { loadCompletedMoveIn } from '../../payments/open/open-move-in-payment.ts'
import { loadDraftOfCaller } from '../../reservations/draft.ts'
import { maskContact } from '../../tenants/contact-masking.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import {
  compareSignedFile,
  loadAgreedMoveIn,
  signedLeaseField,
} from '../internal/compare-request-with-agreed-move-in.ts'
import { loadLastOwnPayment, nothingToSend } from '../internal/load-last-posted-payment-for-mail.ts'

export const postMoveInCompletion = operation({
  name: 'POST /api/notices/movein_completion',
  summary:
    'The move-in’s mail with gate code and signed lease. It goes out once, by itself; asking again tells where it is. What is said of the move-in is compared with the record: a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    order_id: optionalText(64),
    full_name: optionalText(120),
    company_name: optionalText(100),
    cell_phone: optionalText(20),
    cell_email: optionalText(254),
    unit_number: optionalText(20),
    unit_category: optionalText(100),
    unit_rent: optionalText(20),
    lease_no: optionalText(16),
    discount: optionalText(20),
    other_fees_and_charges: optionalText(20),
    access_code: optionalText(20),
    tax: optionalText(20),
    lease_pdf_signed_data: signedLeaseField,
  }),
  output: mailStateResponse,
  limit: { points: 120, perSeconds: 900 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(services, { order_id, ...request }, callers) {
    const ownOrder =
      order_id === '' ? await loadLastOwnPayment(services, callers) : await loadOwnPayment(services, callers, order_id)
    if (!ownOrder) return nothingToSend()
    const [lease, agreed] = await Promise.all([
      loadCompletedMoveIn(services, ownOrder),
      loadAgreedMoveIn(services, ownOrder, request.access_code, callers),
    ])
    if (!lease || !agreed || ownOrder.location_code !== request.location_code) return nothingToSend()
    const [tenant, type, draft] = await Promise.all([
      loadTenant(services.db.read, lease.location_code, lease.tenant_id),
      services.db.read
        .selectFrom('unit_types')
        .select('category_name')
        .where('location_code', '=', lease.location_code)
        .where('unit_type_id', '=', lease.unit_type_id)
        .executeTakeFirst(),
      loadDraftOfCaller(services, callers.rental),
    ])
    if (!tenant) return nothingToSend()
    const visibleTenant = callers.rental?.existingTenant === true ? { ...maskContact(tenant), company: '' } : tenant
    const { first, last, company, email, cell_phone } = draft?.answers.contact ?? visibleTenant
    const { charges } = agreed
    const taxes = charges.rent.tax + charges.insurance.tax + charges.fees.tax
    const refusal = refuseDifferingFields(request, {
      full_name: fieldComparisons.name(`${first} ${last}`),
      company_name: fieldComparisons.name(company),
      cell_phone: fieldComparisons.phone(cell_phone),
      cell_email: fieldComparisons.email(email),
      unit_number: fieldComparisons.text(lease.unit_number),
      unit_category: fieldComparisons.name(type?.category_name ?? ''),
      unit_rent: fieldComparisons.amount(charges.rent.amount),
      lease_no: fieldComparisons.text(lease.lease_number),
      discount: fieldComparisons.amount(charges.rent.discount),
      other_fees_and_charges: fieldComparisons.amount(charges.fees.amount),
      access_code: fieldComparisons.text(...agreed.gateCodes),
      tax: fieldComparisons.amount(taxes),
      lease_pdf_signed_data: await compareSignedFile(services, agreed, request.lease_pdf_signed_data),
    })
    if (refusal) return refusal
    return respondWithMailState(
      await loadMessageState(services, 'move_in_completed', `${lease.location_code}:${lease.lease_number}`),
      nothingToSend(),
    )
  },
})
