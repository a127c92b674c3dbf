/** What the page says that a person comes back to after an act; `?done=` holds the code. */
export const doneTexts = {
  asked: 'Asked for. A second person decides.',
  waived: 'Waived.',
  charged: 'Charged.',
  credited: 'Credited.',
  'written-off': 'Written off.',
  moved: 'Moved.',
} as const
export type DoneCode = keyof typeof doneTexts
