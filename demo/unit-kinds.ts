/**
 * A kind of unit that the demo operator rents. Lengths in feet; `rate` is the web rate in cents at a facility of level
 * 100.
 */
export interface UnitKind {
  category: string
  length: number
  breadth: number
  rate: number
  features: string[]
  /** Description on the unit card, one line. */
  description: string
  detail: string
}

const sizeTexts: Record<string, [line: string, detail: string]> = {
  '5×5': [
    'The size of a hall closet: boxes, bags and a bicycle.',
    'Stack about 25 medium boxes, a season of sports gear, or the papers an office must keep.',
  ],
  '5×10': [
    'A walk-in closet: the contents of one room.',
    'Takes a mattress on its side, a dresser, a desk and 30 boxes, with an aisle left to reach the back.',
  ],
  '10×10': [
    'Half a one-car garage: a one-bedroom home.',
    'Room for a sofa, a bed, a refrigerator, a washer and dryer, and about 60 boxes.',
  ],
  '10×15': [
    'A large bedroom: a two-bedroom home.',
    'Takes the beds and living room of a two-bedroom apartment with the kitchen boxed beside them.',
  ],
  '10×20': [
    'A one-car garage: a three-bedroom home, or a car.',
    'Holds the furniture of three bedrooms and the appliances, or a car with shelves along one side.',
  ],
  '10×25': [
    'Longer than a one-car garage: a house with a yard.',
    'For a three-bedroom house with patio furniture, mower and tools, or a small boat on its trailer.',
  ],
  '10×30': [
    'A two-car garage end to end: a whole house.',
    'Takes a four-bedroom house with the garage in it, or a contractor’s stock with a workbench by the door.',
  ],
}

const accessTypes = {
  climate: {
    category: 'Climate Controlled',
    features: ['indoor', 'climate'],
    text: 'Inside the building, kept between 55 and 80 °F and below 60 % humidity all year. Elevator and carts are there for you.',
  },
  indoor: {
    category: 'Indoor',
    features: ['indoor', 'ground floor'],
    text: 'Inside the building behind a locked entrance, at the temperature of the season.',
  },
  driveUp: {
    category: 'Drive-Up',
    features: ['drive-up', 'ground floor'],
    text: 'A roll-up door on the driveway: park in front of it and unload straight in.',
  },
}

const unit = (access: keyof typeof accessTypes, length: number, breadth: number, rate: number): UnitKind => {
  const [line, detail] = sizeTexts[`${length}×${breadth}`]!
  const { category, features, text } = accessTypes[access]
  return { category, length, breadth, rate, features, description: line, detail: `${detail} ${text}` }
}

const parking = (cover: 'Open' | 'Covered', length: number, breadth: number, rate: number, line: string): UnitKind => ({
  category: `${cover} Parking`,
  length,
  breadth,
  rate,
  features: cover === 'Open' ? ['parking', 'drive-up'] : ['parking', 'drive-up', 'covered'],
  description: line,
  detail:
    cover === 'Open'
      ? 'A marked, lit and paved space inside the gate, under camera. The vehicle must run, be registered and be insured.'
      : 'A numbered space under a steel canopy, inside the gate and under camera. The vehicle must be registered and insured.',
})

/** Kinds of units of the demo facilities, with size and rent, by unit type code. */
export const unitKinds = {
  CC0505: unit('climate', 5, 5, 45_00),
  CC0510: unit('climate', 5, 10, 69_00),
  CC1010: unit('climate', 10, 10, 119_00),
  CC1015: unit('climate', 10, 15, 159_00),
  CC1020: unit('climate', 10, 20, 199_00),
  CC1030: unit('climate', 10, 30, 279_00),
  IN0505: unit('indoor', 5, 5, 35_00),
  IN0510: unit('indoor', 5, 10, 55_00),
  IN1010: unit('indoor', 10, 10, 95_00),
  DU0510: unit('driveUp', 5, 10, 64_00),
  DU1010: unit('driveUp', 10, 10, 105_00),
  DU1015: unit('driveUp', 10, 15, 135_00),
  DU1020: unit('driveUp', 10, 20, 165_00),
  DU1025: unit('driveUp', 10, 25, 189_00),
  DU1030: unit('driveUp', 10, 30, 219_00),
  PO1020: parking('Open', 10, 20, 69_00, 'An open space for a car or a pickup.'),
  PO1030: parking('Open', 10, 30, 89_00, 'An open space for a boat or a trailer.'),
  PO1240: parking('Open', 12, 40, 119_00, 'An open space for a motor home.'),
  PC1235: parking('Covered', 12, 35, 169_00, 'A covered space for a boat or an RV.'),
} satisfies Record<string, UnitKind>

export type UnitTypeCode = keyof typeof unitKinds
