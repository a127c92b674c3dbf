let start = 'npm run operator --'

/** A release brings no npm scripts: `deploy/latchkey` is linked as the command there. */
export function nameCommandsOfRelease(): void {
  start = 'latchkey'
}

/** What a person types here. @param words such as 'doctor' */
export const operatorCommand = (words: string): string => `${start} ${words}`
