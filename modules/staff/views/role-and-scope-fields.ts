import { allFieldValues, type FormField } from '../../../domain/forms/all-values-of-field.ts'
import {
  formatScope,
  type OfficeRole,
  officeRoles,
  parseScope,
  type RoleScope,
} from '../../../domain/office/roles-and-permissions.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityNames } from '../../facilities/facility-names.ts'

type Reading = Pick<Services, 'db'>

/**
 * Lists the scopes of a role: everything, each state, each facility.
 * @param maxFacilities number of facilities up to which scopes are listed
 * @returns null when there are more facilities; the form then has a text field for scopes
 */
export async function loadScopeOptions(
  services: Reading,
  maxFacilities: number,
): Promise<{ value: string; label: string }[] | null> {
  const facilities = await loadFacilityNames(services)
  if (facilities.length > maxFacilities) return null
  const states = [...new Set(facilities.map(({ state }) => state))].sort()
  return [
    { value: 'all', label: 'Everything' },
    ...states.map((state) => ({ value: `state:${state}`, label: `State ${state}` })),
    ...facilities.map(({ code, name }) => ({ value: `facility:${code}`, label: `${code} · ${name}` })),
  ]
}

/**
 * Parses the form's roles for an operation; rows without a role are left out. Each row's scope is selected, or typed:
 * 'all', or codes of states and facilities, which give the role once for each code.
 */
export async function parseRoles(
  services: Reading,
  fields: readonly FormField[],
): Promise<{ role: OfficeRole; scope: string }[]> {
  const facilities = await loadFacilityNames(services)
  const scopes = allFieldValues(fields, 'scope')
  return allFieldValues(fields, 'role').flatMap((roleName, index) => {
    const role = officeRoles.find((officeRole) => officeRole === roleName)
    if (!role) return []
    return scopesIn(scopes[index] ?? '', facilities).map((scope) => ({ role, scope }))
  })
}

/** Parses the scopes in a form field: one selected scope, or each facility or state code, or 'all', of a typed text. */
export const parseScopes = async (services: Reading, text: string): Promise<string[]> =>
  scopesIn(text, await loadFacilityNames(services))

const scopesIn = (text: string, facilities: readonly { code: string; state: string }[]): string[] =>
  text
    .split(/[\s,]+/)
    .flatMap((word) => parseTypedScope(word, facilities) ?? [])
    .map(formatScope)

function parseTypedScope(text: string, facilities: readonly { code: string; state: string }[]): RoleScope | null {
  const upperCased = text.toUpperCase()
  if (upperCased === 'ALL') return { all: true }
  if (facilities.some(({ state }) => state === upperCased)) return { state: upperCased }
  const facility = facilities.find(({ code }) => code.toUpperCase() === upperCased)
  return parseScope(text) ?? parseScope(`facility:${facility?.code ?? text}`)
}
