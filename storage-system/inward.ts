/**
 * Functions that write records and are no operations of the catalogue: signing out, keeping a hold, what a captured payment
 * does to the books. Where the storage system is in this process they run here; where it is on another address they are
 * asked of it, by the website alone (`records-door.ts`), and what they changed has come back before they answer.
 */
import type * as v from 'valibot'
import type { House } from './operation.ts'

export interface InwardCall {
  name: string
  /** What travels: a tuple, checked at the door. */
  input: v.GenericSchema<unknown, unknown[]>
  run(house: House, ...input: unknown[]): Promise<unknown>
}

/** Carries the declaration beside the function that callers see. */
const declared = new WeakMap<object, InwardCall>()

/**
 * Declares such a function. To be called outside of transactions: it may be asked over a network.
 * @param input of its arguments after the house, all of which JSON can say; further ones (where a test ends the process) count
 *   only where it runs in this process
 * @param run safe to be run again where an answer was lost
 */
export function inwardCall<Input extends unknown[], Answer, More extends unknown[] = []>(
  name: string,
  input: v.GenericSchema<unknown, Input>,
  run: (house: House, ...input: [...Input, ...More]) => Promise<Answer>,
): (house: House, ...input: [...Input, ...Partial<More>]) => Promise<Answer> {
  const { length } = (input as unknown as { items: unknown[] }).items
  const call = (house: House, ...given: [...Input, ...Partial<More>]): Promise<Answer> =>
    house.storageSystem
      ? house.storageSystem.inward<Answer>(name, given.slice(0, length))
      : run(house, ...(given as unknown as [...Input, ...More]))
  declared.set(call, { name, input: input as never, run: run as never })
  return call
}

/** The declaration of a function that `inwardCall` made. */
export function declarationOf(call: (house: House, ...input: never[]) => Promise<unknown>): InwardCall {
  const found = declared.get(call)
  if (!found) throw new Error('Not an inward call')
  return found
}
