import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorMessage } from '../../ports/errors/error-code-and-message.ts'

/** Names of the secret variables. No message shows their values; `<NAME>_FILE` may name a file that contains one. */
export const SECRETS: ReadonlySet<string> = new Set([
  'KEYS',
  'DATABASE_URL',
  'SMTP_URL',
  'CARD_PROVIDER_AUTH_KEY',
  'SANDBOX_AUTH_KEY',
  'BANK_KEY',
  'GEOCODER_KEY',
  'IP_LOCATION_KEY',
  'SMS_KEY',
  'PM_KEY',
  'S3_SECRET_ACCESS_KEY',
  'SENTRY_DSN',
  'METRICS_TOKEN',
])

/**
 * Returns systemd's copy of a secret file if there is one: with `LoadCredential=secrets:/etc/latchkey/secrets` the copy
 * of secrets/KEYS is named secrets_KEYS.
 */
function systemdCopy(file: string, folder: string | undefined): string {
  const copy = join(folder ?? '', `${basename(dirname(file))}_${basename(file)}`)
  return folder !== undefined && existsSync(copy) ? copy : file
}

/** Reads the secrets that are in files. @returns all variables, and the problems with those files */
export function readSecretFiles(variables: Record<string, string>): {
  variables: Record<string, string>
  problems: string[]
} {
  const all = { ...variables }
  const problems: string[] = []
  for (const name of SECRETS) {
    const file = variables[`${name}_FILE`]
    if (file === undefined) continue
    if (variables[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: one of them should go.`)
    else
      try {
        const text = readFileSync(systemdCopy(file, variables.CREDENTIALS_DIRECTORY), 'utf8').trim()
        if (text === '') problems.push(`${name}_FILE names an empty file, ${file}.`)
        else all[name] = text
      } catch (error) {
        problems.push(`${name}_FILE should be a file that can be read: ${errorMessage(error)}.`)
      }
  }
  return { variables: all, problems }
}
