let start = 'npm run operator --'

/** Makes messages name the command `latchkey`: a release has no npm scripts, but a link to `deploy/latchkey`. */
export function setReleaseCommandPrefix(): void {
  start = 'latchkey'
}

/** Returns the command line to type. @param words the command with its arguments, such as 'doctor' */
export const operatorCommand = (words: string): string => `${start} ${words}`
