import type { AnyOperation } from './catalogue.ts'

/** Returns the name of the root of an operation's response: the root element in XML, the envelope's field in JSON. */
export const rootOf = (declared: AnyOperation): string => declared.wrapper ?? `${declared.name}Result`
