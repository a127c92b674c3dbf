import type { Services } from '../../../platform/operations/services.ts'
import { type AccountUndo, findUndoByLink } from '../account-undo-links.ts'

/**
 * Returns the kind of change that an undo link would undo, and the address it restores; null for a link that is
 * invalid, expired, used or void.
 */
export async function loadUndoableChange(
  services: Services,
  link: string,
): Promise<Pick<AccountUndo, 'kind' | 'email'> | null> {
  const undo = await findUndoByLink(services, link)
  return undo && { kind: undo.kind, email: undo.email }
}
