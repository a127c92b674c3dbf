import * as v from 'valibot'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { noCellPhone, stoppedByOffice } from '../../messages/texts/sms-consent.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { requireTenant } from '../internal/note-field-and-require-tenant.ts'
import { stopTexts } from '../sms-consent.ts'
import { officeTenantFields } from '../tenant-key-input.ts'

/** Stops text messages to a tenant's cell phone, as the tenant asked. */
export const StopTexts = officeOperation({
  name: 'StopTexts',
  permission: 'note.write',
  input: v.object(officeTenantFields),
  example: { location_code: 'ATL01', tenant_id: 1001 },
  async work({ tx, services, staff, audit }, input) {
    const { cell_phone: phone } = await requireTenant(tx, input)
    if (phone === '') throw refusalError(409, 'no_phone', noCellPhone)
    await stopTexts(tx, services, { phone, askedAt: 'office', wording: stoppedByOffice, staffId: staff.staffId })
    await audit({ kind: 'texts.stopped', details: {} })
    return { saved: true }
  },
})
