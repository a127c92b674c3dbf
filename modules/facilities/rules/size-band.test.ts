import { expect, test } from 'vitest'
import { sizeBand } from './size-band.ts'

const unit = (length: number, breadth: number, categoryName = 'Climate Controlled') => ({
  length,
  breadth,
  categoryName,
})

test.each([
  [unit(9, 11), 'SMALL'],
  [unit(10, 10), 'MEDIUM'],
  [unit(1, 199), 'MEDIUM'],
  [unit(10, 20), 'LARGE'],
  [unit(13, 23), 'LARGE'],
  [unit(10, 30), 'EXTRA LARGE'],
  [unit(5, 5, 'Covered PARKING'), 'PARKING'],
  [unit(10, 40, 'RV parking'), 'PARKING'],
])('%o is %s', (type, band) => {
  expect(sizeBand(type)).toBe(band)
})
