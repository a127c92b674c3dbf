import type { AnyOperation } from './catalogue.ts'

export const rootOf = (declared: AnyOperation): string => declared.wrapper ?? `${declared.name}Result`
