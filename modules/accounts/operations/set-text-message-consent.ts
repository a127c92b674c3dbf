import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { noCellPhone, ownTextConsent, stoppedInProfile } from '../../messages/texts/sms-consent.ts'
import { recordTextConsent, stopTexts } from '../../tenants/sms-consent.ts'
import { loadTenant } from '../../tenants/tenant.ts'

/** Turns text messages to the tenant's own cell phone on or off. Returns whether they are on now. */
export const SetTextConsent = internalOperation({
  name: 'choose-texts',
  access: { tenant: ownTenant },
  input: v.object({ location_code: locationCode(), tenant_id: integer(), texts: v.picklist(['on', 'off']) }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, texts: 'off' } },
  async run(services, { location_code, tenant_id, texts }) {
    return services.db.transaction(async (tx) => {
      const phone = (await loadTenant(tx, location_code, tenant_id))?.cell_phone ?? ''
      if (phone === '') return refuse(409, 'no_phone', noCellPhone)
      if (texts === 'on')
        return succeed(await recordTextConsent(tx, services, { phone, askedAt: 'profile', wording: ownTextConsent }))
      await stopTexts(tx, services, { phone, askedAt: 'profile', wording: stoppedInProfile })
      return succeed(false)
    })
  },
})
