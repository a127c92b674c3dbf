/** Builds the rental agreement as structured text. The page, PDF and signature hash all use these sections. */

import { chargesSection, insuranceSection, payingSection, valueSection } from '../internal/text/charges-and-payment.ts'
import { changesSection, lawSection, movingOutSection, signatureSection } from '../internal/text/closing-sections.ts'
import { lateSection, lienHolderSection, lienSection, militarySection } from '../internal/text/default-and-lien.ts'
import type { LeaseFacts } from '../internal/text/lease-facts.ts'
import {
  noticesSection,
  partiesSection,
  termSection,
  unitSection,
} from '../internal/text/parties-unit-and-term-sections.ts'
import type { Section } from '../internal/text/section.ts'
import {
  accessSection,
  entrySection,
  hazardsSection,
  responsibilitySection,
  useSection,
  vehiclesSection,
} from '../internal/text/unit-use.ts'

export type { LeaseFacts } from '../internal/text/lease-facts.ts'
export type { Paragraph, Section } from '../internal/text/section.ts'

const sectionBuilders: readonly ((facts: LeaseFacts) => Section | null)[] = [
  partiesSection,
  unitSection,
  termSection,
  chargesSection,
  payingSection,
  lateSection,
  lienSection,
  noticesSection,
  useSection,
  hazardsSection,
  insuranceSection,
  valueSection,
  accessSection,
  vehiclesSection,
  lienHolderSection,
  militarySection,
  entrySection,
  responsibilitySection,
  movingOutSection,
  changesSection,
  lawSection,
  signatureSection,
]

/** Returns the sections of a lease's agreement in reading order, without those that do not apply. */
export const leaseSections = (facts: LeaseFacts): Section[] =>
  sectionBuilders.map((build) => build(facts)).filter((built) => built !== null)
