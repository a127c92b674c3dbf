/** Builds the rental agreement as structured text. The page, PDF and signature hash all use these sections. */

import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import {
  chargesSection,
  insuranceSection,
  payingSection,
  valueSection,
} from './charges-payment-and-insurance-sections.ts'
import {
  lateSection,
  lienHolderSection,
  lienSection,
  militarySection,
} from './late-payment-lien-and-military-sections.ts'
import {
  changesSection,
  lawSection,
  movingOutSection,
  signatureSection,
} from './moving-out-law-and-signature-sections.ts'
import { noticesSection, partiesSection, termSection, unitSection } from './parties-unit-and-term-sections.ts'
import type { Section } from './section.ts'
import {
  accessSection,
  entrySection,
  hazardsSection,
  responsibilitySection,
  useSection,
  vehiclesSection,
} from './use-access-vehicles-and-liability-sections.ts'

export type { LeaseFacts } from '../rules/lease-facts-types.ts'
export type { Paragraph, Section } from './section.ts'

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
