export const isParking = (categoryName: string): boolean => categoryName.toLowerCase().includes('parking')

export const arriving = (parking: boolean): string =>
  parking
    ? 'Type your gate code at the gate and drive to your space.'
    : 'Type your gate code at the gate. Bring a lock of your own for the door: we never hold a key.'

export const leaving = (parking: boolean): string =>
  parking
    ? 'Take everything out of the space and leave it clean.'
    : 'Empty the unit, sweep it and take your lock with you.'

/** The operator's instruction, for a parking space without its sentences about doors and their locks. */
export function instructionFor(instruction: string, parking: boolean): string {
  if (!parking) return instruction
  const sentences = instruction.match(/[^.!?]+[.!?]*\s*/g) ?? []
  return sentences
    .filter((one) => !/\b(?:door|lock|padlock|hasp|latch)s?\b/i.test(one))
    .join('')
    .trim()
}

const aroundTheClock = String.raw`[^;,.()]*(?:\b24[ -]?(?:hours?|h)\b|\b24\/7\b|around the clock|at any hour)[^;,.()]*`
const clause = new RegExp(String.raw`\s*\(${aroundTheClock}\)|\s*[;,.]${aroundTheClock}(?=[;,.]|$)`, 'gi')

/** Gate hours for those without 24-hour access, whatever the operator's text says of it: '5 AM to 9 PM every day'. */
export const gateHoursWithout24 = (gateHours: string): string => gateHours.replace(clause, '').trim()
