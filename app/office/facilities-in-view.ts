import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import {
  loadPermittedFacilities,
  type PermittedFacilities,
} from '../../modules/facilities/views/permitted-facilities.ts'
import type { OfficePage } from './open-office-page.ts'

/**
 * Facilities that an office page shows: those in `?at=` where the staff member has the permission, otherwise all where
 * they have it.
 */
export interface FacilitiesInView {
  /** Chosen location codes; empty for all. */
  chosen: string[]
  /** Location codes to show; 'all' for every facility of the operator. */
  codes: 'all' | string[]
  /** All facilities where the staff member has the permission, to choose from. */
  options: PermittedFacilities['facilities']
  /** `?at=ATL01,ATL02`, or '' for all; appended to links between office pages. */
  query: string
}

/** Splits typed text into location codes; a code that is not permitted as typed is upper-cased. */
const parseCodes = (text: string, permittedCodes: ReadonlySet<string>): string[] =>
  text.split(/[\s,]+/).map((code) => (permittedCodes.has(code) ? code : code.toUpperCase()))

/** Maximum number of chosen facilities. Links between office pages repeat their codes. */
const MAX_CHOSEN = 200

/**
 * Loads the facilities that an office page shows, and those to choose from.
 * @param permission required permission; of several, one suffices at each facility
 */
export async function loadFacilitiesInView(
  { site, staff, url }: OfficePage,
  permission: Permission | readonly Permission[] = 'file.read',
): Promise<FacilitiesInView> {
  const { everywhere, facilities: options } = await loadPermittedFacilities(site.services, staff, permission)
  const permittedCodes = new Set(options.map(({ code }) => code))
  const chosen = [...new Set(parseCodes(url.searchParams.get('at') ?? '', permittedCodes))]
    .filter((code) => permittedCodes.has(code))
    .slice(0, MAX_CHOSEN)
  return {
    chosen,
    codes: chosen.length > 0 ? chosen : everywhere ? 'all' : [...permittedCodes],
    options,
    query: chosen.length > 0 ? `?at=${chosen.join(',')}` : '',
  }
}
