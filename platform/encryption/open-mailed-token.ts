import { type IsShape, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../operations/services.ts'

/** Decrypts the token of a mailed link; null if it is invalid, was altered or has expired. */
export function openMailedToken<Content extends { until: number }>(
  { sealer, clock }: Pick<Services, 'sealer' | 'clock'>,
  token: string,
  { context, isContent }: { context: string; isContent: IsShape<Content> },
): Content | null {
  try {
    const content = parseJson(sealer.open(token, context), isContent)
    return content.until > clock.now() ? content : null
  } catch {
    return null
  }
}
