import { inThrees } from '../../gate/rules/gate-code.ts'
import type { Trouble } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import type { Block, NoticeBrand } from '../letter.tsx'
import { daysToCome, type NoticePlace } from './letter-parts.ts'

export interface GateCodeFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  units: {
    unitNumber: string
    gateCode: string
    /** Alert about the unit, and how the balance can be paid. */
    trouble?: (Trouble & { notOnline: string; payUrl: string }) | null
  }[]
  /** Numbers of the overlocked units, for which the gate refuses the codes that they go by. */
  locked?: string[]
  /** By the office. */
  suspended?: boolean
}

export const refusedText = ({ locked = [], suspended = false }: GateCodeFacts): string =>
  suspended
    ? 'The gate does not take the code at the moment. Please call us.'
    : locked.length === 0
      ? ''
      : `The gate does not take the code while ${locked.length === 1 ? `unit ${locked[0]} is` : `units ${locked.join(', ')} are`} past due.`

export const codesOf = (facts: GateCodeFacts): Block[] => [
  ...facts.units.map((unit) => ({ code: inThrees(unit.gateCode), label: `Unit ${unit.unitNumber}` })),
  ...[refusedText(facts)].filter(Boolean),
  ...facts.units.flatMap(({ unitNumber, trouble }): Block[] => {
    if (!trouble) return []
    const { what, days, stops, notOnline, payUrl } = trouble
    return [
      `Unit ${unitNumber}: ${what}`,
      ...daysToCome(days),
      stops,
      notOnline || { button: facts.units.length === 1 ? payNow : `Pay for unit ${unitNumber}`, href: payUrl },
    ]
  }),
]
