import type { PostalAddress } from '../rules/lease-facts-types.ts'

export type Paragraph =
  | string
  | { list: string[] }
  /** Rows of label and value; `sum` is the total below the line. A 'price' table aligns values right. */
  | { table: [label: string, value: string][]; sum?: [label: string, value: string]; kind?: 'price' }
  /** Text that must stand out, as some states require. */
  | { conspicuous: string }

export interface Section {
  /** Stable id, usable as an anchor. */
  id: string
  heading: string
  paragraphs: Paragraph[]
}

/** Builds a section of the agreement; paragraphs that are null are left out. */
export function section(id: string, heading: string, ...paragraphs: (Paragraph | null)[]): Section {
  return { id, heading, paragraphs: paragraphs.filter((paragraph) => paragraph !== null) }
}

export function formatAddressLine({ address, city, state, zip }: PostalAddress): string {
  return [address, city, `${state} ${zip}`.trim()].filter((part) => part !== '').join(', ')
}

/** Builds a table paragraph of labels and values; rows with a blank value are left out. */
export function tableParagraph(...pairs: [string, string][]): { table: [string, string][] } {
  return { table: pairs.filter(([, value]) => value.trim() !== '') }
}
