import { redirect } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office.ts'
import { facilitiesInView } from '../facilities-in-view.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/first-facility'
import { unitsPath } from './paths.ts'

/** The units of the facility that is looked at, or of the person's first. */
export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { chosen, options } = await facilitiesInView(page)
  const code = chosen[0] ?? options[0]?.code
  if (code === undefined) throw new Response(officeNotFound, { status: 404 })
  throw redirect(`${unitsPath(code)}${page.url.search}`)
}
