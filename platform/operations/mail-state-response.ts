/** Response to a request for a mail that an earlier change has already queued: the state of that mail. */
import * as v from 'valibot'
import { type Outcome, type Refusal, succeed } from './outcome.ts'

/** State of a mail or text message; 'failed' after its last attempt, 'none' where there is none to send. */
export type MessageState = 'none' | 'waiting' | 'sent' | 'failed'

export const mailStateResponse = v.object({ result: v.string(), message: v.string() })

const messages = { waiting: 'It is on its way.', sent: 'It was sent.', failed: 'It could not be sent.' }

/** Returns the response for a requested mail: it was sent, is pending or failed; `nothingToSend` without one. */
export const respondWithMailState = (
  state: MessageState,
  nothingToSend: Refusal,
): Outcome<v.InferOutput<typeof mailStateResponse>> =>
  state === 'none' ? nothingToSend : succeed({ result: state, message: messages[state] })
