import type { AnyOperation } from './catalogue.ts'

/** Returns the root element of an operation's response in XML. */
export const rootOf = (declared: AnyOperation): string => declared.wrapper ?? `${declared.name}Result`
