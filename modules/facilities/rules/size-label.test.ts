import { expect, test } from 'vitest'
import { sizeLabel } from './size-label.ts'

test('writes the size in feet', () => {
  expect(sizeLabel({ length: 10, breadth: 10 })).toBe('10 × 10')
  expect(sizeLabel({ length: 7.5, breadth: 10 })).toBe('7.5 × 10')
})
