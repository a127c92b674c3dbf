import type { Services } from '../../../platform/operations/services.ts'
import type { GateCodesTable } from '../../../platform/schema/tables.ts'
import { markCodeForReadyMail } from '../../gate/mark-code-to-mail-when-ready.ts'
import type { GateSyncState } from '../../gate/rules/gate-access.ts'
import { type GateReason, notTakenMailText } from '../../gate/rules/gate-reason-texts.ts'
import { formatGateCode } from '../../gate/rules/generate-gate-code.ts'
import type { UnitAlert } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { payNow } from '../../leases/texts/portal.ts'
import type { Block, MessageBrand } from '../mail-layout.tsx'
import { phoneToCall } from '../texts/facility-or-brand-phone.ts'
import { dunningBlocks, type MessageFacility } from './renter-facts-and-mail-tables.ts'

export interface GateCodeFacts {
  brand: MessageBrand
  facility: MessageFacility
  name: string
  units: {
    unitNumber: string
    gateCode: string
    /** State of the code at the gate; null or left out for a code that our records do not let open the gate. */
    gateState?: GateSyncState | null
    /** Alert about the unit, and how the balance can be paid. */
    alert?: (UnitAlert & { notOnline: string; payUrl: string }) | null
  }[]
  /** Numbers of the tenant's overlocked units; the gate refuses each code that one of them uses. */
  overlockedUnits?: string[]
  /** Whether another code of the tenant opens the gate of this facility. */
  hasOtherOpenCode?: boolean
  /** True if the office suspended the tenant's codes. */
  suspended?: boolean
}

/**
 * Returns sentences about the tenant's codes that the gate refuses, has not received yet or cannot store; '' without such
 * a code.
 */
export function refusedCodeText(facts: GateCodeFacts): string {
  if (facts.suspended) return 'The gate does not take the code at the moment. Please call us.'
  return [lockedCodeText(facts), notTakenText(facts)].filter(Boolean).join(' ')
}

function lockedCodeText({ overlockedUnits = [], hasOtherOpenCode = false }: GateCodeFacts): string {
  const { length } = overlockedUnits
  if (length === 0) return ''
  const units = `unit${length === 1 ? '' : 's'} ${overlockedUnits.join(', ')}`
  const verb = length === 1 ? 'is' : 'are'
  return hasOtherOpenCode
    ? `The gate does not take the code of ${units} while ${length === 1 ? 'it' : 'they'} ${verb} past due.`
    : `The gate does not take the code while ${units} ${verb} past due.`
}

/**
 * Returns sentences about codes that the gate has not received yet or cannot store; names the units where the sentences
 * differ.
 */
function notTakenText({ units, brand, facility }: GateCodeFacts): string {
  const phone = phoneToCall(brand, facility)
  const texts = units.map(({ unitNumber, gateState }) => ({
    unitNumber,
    text: gateState ? notTakenMailText(gateState, phone) : '',
  }))
  const [first, ...others] = new Set(texts.map(({ text }) => text))
  if (others.length === 0) return first ?? ''
  return texts.flatMap(({ unitNumber, text }) => (text ? [`Unit ${unitNumber}: ${text}`] : [])).join(' ')
}

/**
 * Returns the sentence about a new code that is true when the mail is sent; '' where no gate is connected or the code
 * does not open the gate. Where the sentence promises another mail, marks the code so that this mail follows.
 */
export async function newCodeText(
  services: Services,
  gate: GateReason | undefined,
  code: Pick<GateCodesTable, 'location_code' | 'gate_code'>,
  phone: string,
): Promise<string> {
  if (gate?.is !== 'opens' || gate.taken === 'unconnected') return ''
  if (gate.taken === 'taken') return 'The gate has your code.'
  const text = notTakenMailText(gate.taken, phone)
  if (gate.taken === 'coming') return text
  return (await markCodeForReadyMail(services, code)) ? `${text} A mail says when it opens.` : text
}

/** Returns whether the gate has taken a code of the tenant, and no code is suspended, overlocked, late or refused by the gate. */
export const isReadyAtGate = ({ units, overlockedUnits = [], suspended = false }: GateCodeFacts): boolean =>
  !suspended &&
  overlockedUnits.length === 0 &&
  units.some(({ gateState }) => gateState === 'taken') &&
  units.every(({ gateState }) => gateState !== 'late' && gateState !== 'refused')

/** Returns the part of a mail that shows gate codes, the reasons why a code does not open the gate, and how to pay. */
export const gateCodeBlocks = (facts: GateCodeFacts): Block[] => [
  ...facts.units.map((unit) => ({ code: formatGateCode(unit.gateCode), label: `Unit ${unit.unitNumber}` })),
  ...[refusedCodeText(facts)].filter(Boolean),
  ...facts.units.flatMap(({ unitNumber, alert }): Block[] => {
    if (!alert) return []
    const { what: problem, days, stops, notOnline, payUrl } = alert
    return [
      `Unit ${unitNumber}: ${problem}`,
      ...dunningBlocks(days),
      stops,
      notOnline || { button: facts.units.length === 1 ? payNow : `Pay for unit ${unitNumber}`, href: payUrl },
    ]
  }),
]
