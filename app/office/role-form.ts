import { type OfficeRole, officeRoles, type RoleScope, scopeOf } from '../../domain/office/roles.ts'
import { facilityNames } from '../../modules/facilities/facility-names.ts'
import type { Services } from '../../platform/operations/services.ts'

/** The most roles that the form takes for a person. */
const MAX_ROLES = 4

/** Everything, each state, each facility. */
export async function scopeOptions(services: Pick<Services, 'db'>): Promise<{ value: string; label: string }[]> {
  const facilities = await facilityNames(services)
  const states = [...new Set(facilities.map(({ state }) => state))].sort()
  return [
    { value: 'all', label: 'Everything' },
    ...states.map((state) => ({ value: `state:${state}`, label: `State ${state}` })),
    ...facilities.map(({ code, name }) => ({ value: `facility:${code}`, label: `${code} · ${name}` })),
  ]
}

/** The roles of the form, those without a choice left out. */
export function rolesGiven(form: FormData): { role: OfficeRole; scope: RoleScope }[] {
  const roles = form.getAll('role')
  const scopes = form.getAll('scope')
  return roles.slice(0, MAX_ROLES).flatMap((given, at) => {
    const role = officeRoles.find((one) => one === given)
    const scope = scopeOf(String(scopes[at] ?? ''))
    return role && scope ? [{ role, scope }] : []
  })
}
