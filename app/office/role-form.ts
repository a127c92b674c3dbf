import { type OfficeRole, officeRoles, type RoleScope, scopeOf } from '../../domain/office/roles.ts'
import { facilityNames } from '../../modules/facilities/facility-names.ts'
import type { Services } from '../../platform/operations/services.ts'
import { MOST_CHOICES } from './list-page.ts'

type Reading = Pick<Services, 'db'>

/**
 * Lists the scopes of a role: everything, each state, each facility.
 * @returns null when there are too many for a list, and scopes are typed
 */
export async function scopeOptions(services: Reading): Promise<{ value: string; label: string }[] | null> {
  const facilities = await facilityNames(services)
  if (facilities.length > MOST_CHOICES) return null
  const states = [...new Set(facilities.map(({ state }) => state))].sort()
  return [
    { value: 'all', label: 'Everything' },
    ...states.map((state) => ({ value: `state:${state}`, label: `State ${state}` })),
    ...facilities.map(({ code, name }) => ({ value: `facility:${code}`, label: `${code} · ${name}` })),
  ]
}

/** Returns the submitted roles as typed, without the empty last row. */
export function rolesTyped(fields: Iterable<readonly [string, FormDataEntryValue]>): { role: string; scope: string }[] {
  const all = [...fields]
  const scopes = all.flatMap(([name, value]) => (name === 'scope' ? [String(value)] : []))
  return all
    .flatMap(([name, value]) => (name === 'role' ? [String(value)] : []))
    .map((role, at) => ({ role, scope: scopes[at] ?? 'all' }))
    .filter(({ role, scope }, at, rows) => role !== '' || scope !== 'all' || at < rows.length - 1)
}

/**
 * Parses the submitted roles; rows without a role are left out.
 * @returns roles with their scopes; a scope is chosen, or typed as `all`, a state or location codes
 */
export async function rolesGiven(services: Reading, form: FormData): Promise<{ role: OfficeRole; scope: RoleScope }[]> {
  const facilities = await facilityNames(services)
  const scopes = form.getAll('scope').map(String)
  return form.getAll('role').flatMap((given, at) => {
    const role = officeRoles.find((one) => one === given)
    if (!role) return []
    return (scopes[at] ?? '')
      .split(/[\s,]+/)
      .flatMap((text) => scopeTyped(text, facilities) ?? [])
      .map((scope) => ({ role, scope }))
  })
}

function scopeTyped(text: string, facilities: readonly { code: string; state: string }[]): RoleScope | null {
  const typed = text.toUpperCase()
  if (typed === 'ALL') return { all: true }
  if (facilities.some(({ state }) => state === typed)) return { state: typed }
  const known = facilities.find(({ code }) => code.toUpperCase() === typed)
  return scopeOf(text) ?? scopeOf(`facility:${known?.code ?? text}`)
}
