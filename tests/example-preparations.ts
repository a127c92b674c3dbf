/** For examples that need more of the demo than a caller: each brings a house to where the example can be run. */
import type { Callers } from '../storage-system/operation.ts'
import type { DemoHouse } from './demo-house.ts'

export const preparations: Readonly<Record<string, (house: DemoHouse) => Promise<Callers>>> = {}
