/**
 * Sentences that an office page shows after an operation. The page's address names the sentence: `?done=` with a code
 * or an operation's name, or `?kept=` with the id of a form that was stored during the second factor
 * (`form-awaiting-second-factor.ts`).
 */

import { officeOperations } from '../../api/catalogue.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'

const doneTexts = {
  confirmed: 'Confirmed. Nothing has been done yet: look at what you typed, and press again.',
  asked: 'Asked for. A second person decides.',
  'transfer-offered': 'The unit is held. The tenant has the link to sign and pay.',
  'transfer-cancelled': 'Cancelled. The unit is free again.',
  approved: 'Approved.',
  refused: 'Refused.',
  retried: 'It is tried again.',
  ended: 'Ended.',
  paid: 'Recorded. The payer gets a mail.',
  posted: 'Counted.',
  'given-back': 'On its way back.',
  accepted: 'Accepted. The tenant gets a mail.',
  completed: 'Done.',
  taken: 'It is yours.',
  released: 'Any staff member can take it again.',
  'wait-ended': 'Taken off. No mail goes to this address.',
  'drawer-open': 'The drawer is open.',
  counted: 'Counted. The deposit waits for the bank’s confirmation.',
  matched: 'Matched with the bank.',
  recorded: 'Recorded.',
  seconded: 'Confirmed.',
  'not-confirmed': 'Not confirmed. The step has to be done again.',
  stopped: 'The lien case is stopped.',
  'signed-off': 'Signed off.',
  withdrawn: 'The sign-off is withdrawn.',
  task: 'The task has changed.',
  flag: 'The flag has changed.',
  contact: 'Saved.',
  invited: 'The invitation is on its way by mail.',
  'roles-saved': 'Saved. All sign-ins of this person have ended.',
  'access-ended': 'Access has ended.',
  'key-revoked': 'Revoked. The key’s next call is refused.',
  'sign-ins-ended': 'All sign-ins of this person have ended.',
  saved: 'Saved. Visitors see it now.',
  gate: 'Saved. The gate learns it at its next contact.',
  limits: 'Saved. The limits count from the next act on.',
  'terms-stopped': 'Stopped. Tenants who have accepted the terms keep them.',
  terms: 'Asked for. Tenants accept the terms at their next sign-in.',
  'appointment-proposed': 'Proposed. The link to confirm it is on its way.',
  'contact-mailed': 'Saved. The new e-mail address counts once its link has been opened.',
} as const
/** Code of a sentence above. */
export type DoneCode = keyof typeof doneTexts

/** Returns the sentence that the address names; '' if the code is missing or unknown. */
export function doneSentence(search: URLSearchParams): string {
  const code = search.has('kept') ? 'confirmed' : (search.get('done') ?? '')
  const operationSentence = officeOperations.find(({ name }) => name === code)?.done
  return operationSentence ?? (isKeyOf(doneTexts, code) ? doneTexts[code] : '')
}
