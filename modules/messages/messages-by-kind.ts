import { isKeyOf } from '../../domain/typed-keys.ts'
import { everyMessage } from './every-message.ts'
import type { Message, MessageKind } from './message-definition.ts'

/** Messages by job kind. To add one, write its file in `mails/` and run `npm run catalogue`. */
export const messages: { readonly [Kind in MessageKind]: Message<Kind> } = everyMessage

export const messageOf = (kind: string): Message | undefined => (isKeyOf(messages, kind) ? messages[kind] : undefined)
