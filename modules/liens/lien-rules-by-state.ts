/** Lien rules by state, as data. They take effect only after the operator signs them off with counsel. */
import { createHash } from 'node:crypto'
import type { LienRules } from '../../domain/office/lien-rules.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'

/** Lien rules that ship with the program, by state and version. */
export const shippedRules: readonly LienRules[] = [
  {
    version: 'GA-2025-07',
    state: 'GA',
    statute: 'O.C.G.A. § 10-4-213',
    inForceFrom: '2025-07-01',
    reviewedOn: '2026-11-22',
    defaultDays: 30,
    notice: {
      ways: { person: {}, 'verified mail': {}, 'e-mail': { unansweredNeeds: 'verified mail' } },
      payDays: 14,
      copies: ['agent', 'lien holder'],
      wording: [
        'The name of the owner, the address of the facility and the number of the unit',
        'An itemised statement of what is owed, with the day on which each sum fell due',
        'That it must be paid within fourteen days of delivery',
        'That otherwise the contents of the unit are advertised and sold, and when and where',
        'Name, address and telephone number of the person who answers for it',
      ],
    },
    advertisement: { ways: ['newspaper', 'website'], times: 1, daysApart: 0 },
    saleAfterDays: 15,
    surplusDays: 730,
    toVerify: [
      'HB 131 of 2025: one advertisement in place of two',
      'Which websites count as an advertisement',
      'How long a surplus is held, and for whom',
      'The wording of the notice, line by line',
    ],
  },
]

const rulesIn = ({ lienRules }: Pick<Services, 'lienRules'>): readonly LienRules[] => lienRules ?? shippedRules

/** Returns the newest lien rules of a state in force on a day; undefined when there are none. */
export const lienRulesOn = (
  services: Pick<Services, 'lienRules'>,
  state: string,
  today: IsoDate,
): LienRules | undefined =>
  rulesIn(services)
    .filter((rules) => rules.state === state && rules.inForceFrom <= today)
    .sort((a, b) => (a.inForceFrom < b.inForceFrom ? 1 : -1))[0]

/**
 * Returns the lien rules of a version.
 * @throws Error for a version that this program does not know
 */
export function rulesOfVersion(services: Pick<Services, 'lienRules'>, version: string): LienRules {
  const rules = rulesIn(services).find((rules) => rules.version === version)
  if (!rules) throw new Error(`There are no lien rules ${version}`)
  return rules
}

/** Returns all rules that can be signed off, by state, newest first. */
export const signableRules = (services: Pick<Services, 'lienRules'>): LienRules[] =>
  [...rulesIn(services)].sort((a, b) => a.state.localeCompare(b.state) || b.inForceFrom.localeCompare(a.inForceFrom))

/** Returns the hash of rules, which is stored with their sign-off. Changed rules lose their sign-off. */
export const hashRules = (rules: LienRules): string => createHash('sha256').update(JSON.stringify(rules)).digest('hex')
