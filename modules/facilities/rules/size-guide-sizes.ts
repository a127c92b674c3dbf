/** Common unit sizes from small to large: width (at the door) and depth in feet. */
export const storageSizes = [
  { width: 5, depth: 5, like: 'A hall closet', for: 'Boxes, sports gear, the papers of an office.' },
  { width: 5, depth: 10, like: 'A walk-in closet', for: 'The contents of one room, or a studio that travels light.' },
  { width: 5, depth: 15, like: 'A long closet', for: 'Two rooms of furniture, stood on end.' },
  { width: 10, depth: 10, like: 'Half a one-car garage', for: 'A one-bedroom home.' },
  { width: 10, depth: 15, like: 'A large bedroom', for: 'A two-bedroom home.' },
  { width: 10, depth: 20, like: 'A one-car garage', for: 'A three-bedroom home, or a car.' },
  { width: 10, depth: 25, like: 'Longer than a one-car garage', for: 'A house with patio furniture and tools.' },
  {
    width: 10,
    depth: 30,
    like: 'A garage for two cars, one behind the other',
    for: 'A four-bedroom house with its garage.',
  },
] as const
