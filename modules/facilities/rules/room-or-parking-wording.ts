/** Texts that differ between a room and a parking space: instructions to move in and out, and sentences about doors. */

/** Returns whether a unit category is parking rather than rooms. */
export const isParking = (categoryName: string): boolean => categoryName.toLowerCase().includes('parking')

export const arrivalInstruction = (isSpace: boolean): string =>
  isSpace
    ? 'Type your gate code at the gate and drive to your space.'
    : 'Type your gate code at the gate. Bring a lock of your own for the door: we never hold a key.'

export const moveOutInstruction = (isSpace: boolean): string =>
  isSpace
    ? 'Take everything out of the space and leave it clean.'
    : 'Empty the unit, sweep it and take your lock with you.'

const roomWords = /\b(?:door|lock|padlock|hasp|latch)s?\b|\bleav\w+ (?:an|one) aisle\b/i

/**
 * Returns whether a text is about a room, for instance its door, its lock or how to pack it, and so does not fit a
 * parking space.
 */
export const mentionsRooms = (text: string): boolean => roomWords.test(text)

/** Returns the operator's instruction for a unit; for a parking space, without sentences about rooms. */
export function instructionFor(instruction: string, isSpace: boolean): string {
  if (!isSpace) return instruction
  const sentences = instruction.match(/[^.!?]+[.!?]*\s*/g) ?? []
  return sentences
    .filter((sentence) => !mentionsRooms(sentence))
    .join('')
    .trim()
}
