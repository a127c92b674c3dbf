import { redirect } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/redirect-to-facility-units'
import { unitsPath } from './units-page-path.ts'

/** Redirects to the units of the first facility chosen in `?at=`, or else of the staff member's first facility. */
export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { chosen, options } = await loadFacilitiesInView(page)
  const code = chosen[0] ?? options[0]?.code
  if (code === undefined) throw new Response(officeNotFound, { status: 404 })
  throw redirect(`${unitsPath(code)}${page.url.search}`)
}
