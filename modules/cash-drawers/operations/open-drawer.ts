import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { cents } from '../internal/drawer-and-receipt-input-fields.ts'
import { uncounted, unmatched } from '../load-drawers.ts'
import { drawerOpenAlready } from '../texts/counter.ts'

/** Opens a drawer for the staff member, who may have one open drawer at a facility. */
export const OpenDrawer = officeOperation({
  name: 'OpenDrawer',
  permission: 'drawer.count',
  input: v.object({ location_code: locationCode(), float: cents }),
  example: { location_code: 'ATL01', float: 10_000 },
  async work(act, { location_code, float }) {
    const { tx, services, staff } = act
    const today = await loadToday(tx, services, location_code)
    if (today === undefined) throw new RefusalError(recordNotFound)
    const inserted = await tx
      .insertInto('cash_batches')
      .values({
        batch_id: `DR${services.random.hex(4).toUpperCase()}`,
        location_code,
        opened_by: staff.staffId,
        opened_at: services.clock.now(),
        opened_on: today,
        float_cents: float,
        close_note: '',
        ...uncounted,
        ...unmatched,
      })
      // A unique index allows one open drawer for each staff member and facility.
      .onConflict((clash) => clash.doNothing())
      .returning('batch_id')
      .executeTakeFirst()
    if (!inserted) throw refusalError(409, 'open_already', drawerOpenAlready)
    await act.audit({ kind: 'drawer.opened', details: { float: format(float) }, subject: inserted.batch_id })
    return inserted
  },
})
