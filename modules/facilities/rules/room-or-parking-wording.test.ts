import { expect, it } from 'vitest'
import { instructionFor } from './room-or-parking-wording.ts'

it('omits instructions about doors and locks for a parking space', () => {
  const text = 'Bring a disc lock: it fits the hasp of every door here. Odd numbers are left of the gate!'
  expect(instructionFor(text, true)).toBe('Odd numbers are left of the gate!')
  expect(instructionFor(text, false)).toBe(text)
  expect(instructionFor('', true)).toBe('')
})
