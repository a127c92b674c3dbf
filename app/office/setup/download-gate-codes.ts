import { csvLine } from '../../../domain/csv-cells.ts'
import { ExportGateList } from '../../../modules/gate/operations/export-gate-list.ts'
import { csvResponse } from '../../request/csv-response.ts'
import { storeFormAndAskSecondFactor } from '../form-awaiting-second-factor.ts'
import { readOfficeForm } from '../office-action.ts'
import type { Route } from './+types/download-gate-codes'
import { openSetup } from './open-setup.ts'

/** Serves a facility's gate codes as CSV, for a gate programmed by hand. A POST, since the form sends a reason. */
export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const { typed } = await readOfficeForm(page, args.request)
  const outcome = await page.site.call(ExportGateList, { location_code: about.code, reason: typed.reason ?? '' })
  if (!outcome.ok) {
    const url = new URL(`/office/setup/${about.code}/gate`, page.url)
    if (outcome.code === 'factor_needed')
      throw await storeFormAndAskSecondFactor({ site: page.site, staff: page.staff, url }, [
        ['list_reason', typed.reason ?? ''],
      ])
    throw new Response(outcome.message, { status: outcome.status })
  }
  const rows = outcome.value.codes.map((code) =>
    csvLine([
      code.code,
      code.opens ? 'opens' : 'refused',
      code.hours === '24-hour' ? 'any hour' : 'gate hours',
      code.units.join(' '),
      code.refused ?? '',
    ]),
  )
  return csvResponse([csvLine(['code', 'gate', 'hours', 'units', 'why not']), ...rows].join(''), `gate-${about.code}`)
}
