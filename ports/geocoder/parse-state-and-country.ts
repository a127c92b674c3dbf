import { states } from '../../domain/states.ts'
import { plainWords } from './normalize-and-compare-place-names.ts'

const TERRITORIES: Record<string, string> = {
  PR: 'puerto rico',
  VI: 'us virgin islands',
  GU: 'guam',
  AS: 'american samoa',
  MP: 'northern mariana islands',
}
const BY_NAME = new Map<string, string>(
  [...states, ...Object.entries(TERRITORIES)].flatMap(([code, name]) => [
    [code.toLowerCase(), code],
    [plainWords(name), code],
  ]),
)
BY_NAME.set('n carolina', 'NC').set('s carolina', 'SC').set('n dakota', 'ND').set('s dakota', 'SD')
BY_NAME.set('w virginia', 'WV').set('washington dc', 'DC').set('calif', 'CA').set('fla', 'FL').set('mass', 'MA')

/**
 * Returns the two-letter code of a state or territory given by code or name in any case ('ga', 'Georgia', 'N.
 * Carolina', 'D.C.'), or null.
 */
export const stateCode = (text: string): string | null => BY_NAME.get(plainWords(text)) ?? null

/** Returns whether a country code is that of a US territory, such as Puerto Rico. */
export const isTerritory = (country: string): boolean => Object.hasOwn(TERRITORIES, country)

// Canada's provinces and territories by name and code, everyday names of countries, and a few country codes; no code
// that is also a US state's ('CA', 'DE', 'IN').
const ABROAD = [
  'uk',
  'gb',
  'mx',
  'england',
  'scotland',
  'wales',
  'northern ireland',
  'great britain',
  'britain',
  'holland',
  'on',
  'qc',
  'bc',
  'ab',
  'mb',
  'sk',
  'ns',
  'nb',
  'nl',
  'pe',
  'yt',
  'nt',
  'nu',
  'ontario',
  'quebec',
  'british columbia',
  'alberta',
  'manitoba',
  'saskatchewan',
  'nova scotia',
  'new brunswick',
  'newfoundland',
  'newfoundland and labrador',
  'prince edward island',
  'yukon',
  'northwest territories',
  'nunavut',
]
let abroad: Set<string> | null = null
function abroadNames(): Set<string> {
  if (abroad) return abroad
  abroad = new Set(ABROAD)
  const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (let first = 65; first <= 90; first++) {
    for (let second = 65; second <= 90; second++) {
      const code = String.fromCharCode(first, second)
      if (code === 'US' || code === 'UM' || code === 'ZZ' || isTerritory(code)) continue
      const name = countries.of(code)
      if (name) abroad.add(plainWords(name))
    }
  }
  // 'Georgia' means the US state, not the country.
  abroad.delete('georgia')
  return abroad
}

/** Returns whether the text names a country other than the US, its territories and Georgia, or a province or territory of Canada. */
export const isAbroad = (text: string): boolean => abroadNames().has(plainWords(text))
