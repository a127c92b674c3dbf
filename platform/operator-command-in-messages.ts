let prefix = 'npm run operator --'

/**
 * Makes messages name the operator's command line `latchkey`: a release has no npm scripts, but a link to
 * `deploy/latchkey`.
 */
export function setReleaseCommandPrefix(): void {
  prefix = 'latchkey'
}

/**
 * Returns the shell command that runs an operator command, for messages.
 * @param words the command with its arguments, such as 'doctor'
 */
export const operatorCommand = (words: string): string => `${prefix} ${words}`
