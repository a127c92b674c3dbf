import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { wireInstant } from '../../../domain/time-zone-dates.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { wireBoolean } from '../../facilities/facility-not-found-and-wire-boolean.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { isSessionTenant, leaseNotFound, loadLease, mayAccessLease } from '../lease.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const GetLeaseAgreementDetails = operation({
  name: 'GetLeaseAgreementDetails',
  summary: 'The signed agreement of a lease: when it was signed, the hashes of what was read and what was signed.',
  access: { tenant: ownTenant, rental: isSessionTenant },
  input: v.object({ ...tenantFields, lease_no: integer(invalidLeaseNumber) }),
  output: v.object({
    LeaseNumber: v.number(),
    ...textFields('UnitNumber', 'MoveInDate'),
    /** Id of the signed agreement; '' without a valid one, as for a lease imported from an earlier system. */
    DocumentId: v.string(),
    /**
     * Time of the signature with the facility's offset, such as '2026-11-20T12:00:00-05:00', and SHA-256, hex, of the
     * text that was read and of the signed PDF; all '' without a valid agreement.
     */
    ...textFields('SignedAt', 'HashBefore', 'HashAfter'),
    /** Whether the tenant has yet to accept updated terms: 'True' or 'False'. */
    TermsRequired: v.string(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_no: 10001 },
    output: {
      LeaseNumber: 10001,
      UnitNumber: '318',
      MoveInDate: '10/09/2025',
      DocumentId: '',
      SignedAt: '',
      HashBefore: '',
      HashAfter: '',
      TermsRequired: 'False',
    },
  },
  async run(services, input, callers) {
    const lease = await loadLease(services, input, input.lease_no)
    if (!lease || !mayAccessLease(callers, input, lease.reservation_code)) return leaseNotFound()
    const document =
      lease.document_id === null
        ? undefined
        : await services.db.read
            .selectFrom('lease_documents')
            .innerJoin('locations', 'locations.location_code', 'lease_documents.location_code')
            .select(['document_id', 'hash_before', 'hash_after', 'created_at', 'time_zone'])
            .where('document_id', '=', lease.document_id)
            .where('void', '=', 0)
            .executeTakeFirst()
    return succeed({
      LeaseNumber: lease.lease_number,
      UnitNumber: lease.unit_number,
      MoveInDate: formatUs(lease.move_in_date),
      DocumentId: document?.document_id ?? '',
      SignedAt: document ? wireInstant(document.time_zone, document.created_at) : '',
      HashBefore: document?.hash_before ?? '',
      HashAfter: document?.hash_after ?? '',
      TermsRequired: wireBoolean(lease.terms_required === 1),
    })
  },
})
