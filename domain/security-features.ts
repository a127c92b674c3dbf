/** What secures a facility: a closed list, so that no page promises more than these words. */

import { keysOf } from './typed-keys.ts'

const labels = {
  'own-code': 'A gate code of your own',
  'gate-log': 'Each use of a code is recorded',
  cameras: 'Cameras',
  fence: 'Fenced all round',
  lighting: 'Lit at night',
  'door-alarms': 'An alarm on each door',
  'steel-doors': 'Steel doors',
  'disc-locks': 'Disc locks',
  sprinklers: 'Sprinklers',
  'manager-on-site': 'A manager lives on site',
} as const

export type SecurityFact = keyof typeof labels

export const securityFacts: readonly { code: SecurityFact; label: string }[] = keysOf(labels).map((code) => ({
  code,
  label: labels[code],
}))

/** Returns the labels of stored codes, in the order of the list. Codes that a later release added are left out. */
export const securityLabels = (codes: readonly string[]): string[] =>
  securityFacts.filter(({ code }) => codes.includes(code)).map(({ label }) => label)
