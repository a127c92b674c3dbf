/** Security features of facilities. The list is closed, so that no page promises others. */

import { keysOf } from '../../../domain/typed-keys.ts'

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

export type SecurityFeature = keyof typeof labels

export const securityFeatures: readonly { code: SecurityFeature; label: string }[] = keysOf(labels).map((code) => ({
  code,
  label: labels[code],
}))

/** Returns the labels of stored codes, in the order of the list. Codes that a later release added are left out. */
export const securityLabels = (codes: readonly string[]): string[] =>
  securityFeatures.filter(({ code }) => codes.includes(code)).map(({ label }) => label)
