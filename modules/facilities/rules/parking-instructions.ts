/** What differs between a room and a parking space: instructions for moving in and out, and sentences about doors. */

/** Returns whether a unit category is parking rather than rooms. */
export const isParking = (categoryName: string): boolean => categoryName.toLowerCase().includes('parking')

export const arrivalInstruction = (parking: boolean): string =>
  parking
    ? 'Type your gate code at the gate and drive to your space.'
    : 'Type your gate code at the gate. Bring a lock of your own for the door: we never hold a key.'

export const moveOutInstruction = (parking: boolean): string =>
  parking
    ? 'Take everything out of the space and leave it clean.'
    : 'Empty the unit, sweep it and take your lock with you.'

const ofRooms = /\b(?:door|lock|padlock|hasp|latch)s?\b|\bleav\w+ (?:an|one) aisle\b/i

/**
 * Returns whether a text is about a room, for instance its door, its lock or how to pack it, and so does not fit a
 * parking space.
 */
export const mentionsRooms = (words: string): boolean => ofRooms.test(words)

/** Returns the operator's instruction for a unit; for a parking space, without sentences about rooms. */
export function instructionFor(instruction: string, parking: boolean): string {
  if (!parking) return instruction
  const sentences = instruction.match(/[^.!?]+[.!?]*\s*/g) ?? []
  return sentences
    .filter((one) => !mentionsRooms(one))
    .join('')
    .trim()
}
