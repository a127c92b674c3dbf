import { describe, expect, it } from 'vitest'
import { describeWalkingPath } from './walking-directions.ts'

const way = (...points: [number, number][]) => points.map(([x, y]) => ({ x, y }))

describe('a way in words', () => {
  it('names each turn and stretch and the side of the door', () => {
    expect(
      describeWalkingPath(way([0, 0], [0, 42], [61, 42], [61, 30]), 'Gate', { unit: '118', at: { x: 55, y: 30 } }),
    ).toEqual([
      'From the gate, walk 40 ft.',
      'Turn left and walk 60 ft.',
      'Turn left and walk 10 ft.',
      'Unit 118 is on your left.',
    ])
    const ends: [number, number][] = [
      [20, 10],
      [20, -10],
      [30, 0],
      [0, 0],
    ]
    expect(
      ends.map(([x, y]) =>
        describeWalkingPath(way([0, 0], [20, 0]), 'Elevator', { unit: 'A-1', at: { x: x === 0 ? 10 : x, y } }).at(-1),
      ),
    ).toEqual([
      'Unit A-1 is on your right.',
      'Unit A-1 is on your left.',
      'Unit A-1 is ahead of you.',
      'Unit A-1 is behind you.',
    ])
  })

  it('omits a step aside and ends at the elevator where the unit is upstairs', () => {
    expect(
      describeWalkingPath(way([0, 0], [30, 0], [30, 3], [52, 3]), 'Gate', 'Take the elevator to floor 3.'),
    ).toEqual(['From the gate, walk 50 ft.', 'Take the elevator to floor 3.'])
    expect(describeWalkingPath([], 'Gate', 'Take the elevator to floor 3.')).toEqual([])
  })

  it('rounds to 5 ft, and to 10 ft from 100 ft on, as the list of units does', () => {
    const walk = (feet: number) => describeWalkingPath(way([0, 0], [0, feet]), 'Gate', 'Stop.')[0]
    expect([97, 106, 1204].map(walk)).toEqual([
      'From the gate, walk 95 ft.',
      'From the gate, walk 110 ft.',
      'From the gate, walk 1,200 ft.',
    ])
  })
})
