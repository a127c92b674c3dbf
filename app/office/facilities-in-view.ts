import type { Permission } from '../../domain/office/roles.ts'
import { type FacilityName, facilityNames } from '../../modules/facilities/facility-names.ts'
import { facilitiesFor } from '../../platform/operations/staff-scope.ts'
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
  /** The staff member's facilities, to choose from. */
  options: FacilityName[]
  /** `?at=ATL01,ATL02`, or '' for all; appended to links between office pages. */
  query: string
}

/** Returns the typed location codes in their stored case. */
const typed = (at: string, known: ReadonlySet<string>): string[] =>
  at.split(/[\s,]+/).map((code) => (known.has(code) ? code : code.toUpperCase()))

export async function facilitiesInView(
  { site, staff, url }: OfficePage,
  permission: Permission = 'file.read',
): Promise<FacilitiesInView> {
  const held = facilitiesFor(staff, permission)
  const all = await facilityNames(site.services)
  const options = held === 'all' ? all : all.filter(({ code }) => held.has(code))
  const known = new Set(options.map(({ code }) => code))
  const chosen = [...new Set(typed(url.searchParams.get('at') ?? '', known))]
    .filter((code) => known.has(code))
    .slice(0, 200)
  return {
    chosen,
    codes: chosen.length > 0 ? chosen : held === 'all' ? 'all' : [...known],
    options,
    query: chosen.length > 0 ? `?at=${chosen.join(',')}` : '',
  }
}
