import { formatGateCode } from '../../gate/rules/gate-code.ts'
import { codeNotAccepted } from '../../gate/rules/gate-state.ts'
import type { UnitAlert } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import type { Block, MessageBrand } from '../mail-layout.tsx'
import { dunningBlocks, type MessageFacility } from './mail-parts.ts'

export interface GateCodeFacts {
  brand: MessageBrand
  facility: MessageFacility
  name: string
  units: {
    unitNumber: string
    gateCode: string
    /** Alert about the unit, and how the balance can be paid. */
    trouble?: (UnitAlert & { notOnline: string; payUrl: string }) | null
  }[]
  /** Numbers of the overlocked units, whose codes the gate refuses. */
  locked?: string[]
  /** Whether the tenant has another code here that the gate takes. */
  partly?: boolean
  /** True if the office suspended the code. */
  suspended?: boolean
  /** Whether the gate has yet to take one of the codes. */
  notTaken?: boolean
}

/** Returns the sentence that the gate does not take a tenant's code, and why; '' where it does. */
export function refusedCodeText({
  locked = [],
  partly = false,
  suspended = false,
  notTaken = false,
}: GateCodeFacts): string {
  if (suspended) return 'The gate does not take the code at the moment. Please call us.'
  if (locked.length === 0) return notTaken ? codeNotAccepted('') : ''
  const units = `unit${locked.length === 1 ? '' : 's'} ${locked.join(', ')}`
  const be = locked.length === 1 ? 'is' : 'are'
  return partly
    ? `The gate does not take the code of ${units} while ${locked.length === 1 ? 'it' : 'they'} ${be} past due.`
    : `The gate does not take the code while ${units} ${be} past due.`
}

/** Returns the part of a mail that shows gate codes, what prevents them, and how to pay. */
export const gateCodeBlocks = (facts: GateCodeFacts): Block[] => [
  ...facts.units.map((unit) => ({ code: formatGateCode(unit.gateCode), label: `Unit ${unit.unitNumber}` })),
  ...[refusedCodeText(facts)].filter(Boolean),
  ...facts.units.flatMap(({ unitNumber, trouble }): Block[] => {
    if (!trouble) return []
    const { what, days, stops, notOnline, payUrl } = trouble
    return [
      `Unit ${unitNumber}: ${what}`,
      ...dunningBlocks(days),
      stops,
      notOnline || { button: facts.units.length === 1 ? payNow : `Pay for unit ${unitNumber}`, href: payUrl },
    ]
  }),
]
