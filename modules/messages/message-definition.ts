/** Declares mails and text messages: their subject, maximum age, facts, text and samples. */
import type { Services } from '../../platform/operations/services.ts'
import type { JobKind, JobKinds } from '../../platform/schema/job-kinds.ts'
import type { Letter, MessageBrand } from './mail-layout.tsx'

/**
 * Kind of record that a message is about. A tenant's page finds the tenant's messages by the `once` keys of their jobs:
 * such a key is the record's key or begins with it. The key of a link that the office has sent begins with 'sent:' and
 * the tenant's key; that of a reservation's link sent again, with 'again:' and the reservation's key. The page leaves out
 * mails about ledger entries by staff: their keys are entries' ids.
 */
export type MessageSubject =
  | 'lease'
  | 'tenant'
  | 'order'
  | 'receipt'
  | 'reservation'
  | 'account'
  | 'proof'
  | 'move-out'
  | 'rent change'
  | 'refund'

/** Name and record of a message in a tenant's file; null for messages that the file does not list. */
type OnFile = { about: MessageSubject; name: string } | { about: null }

type Described = OnFile & {
  /** Maximum age in milliseconds. A code or link that arrives later confuses, or has expired. */
  staleAfter?: number
}

interface Attachment {
  filename: string
  contentType: string
  content: Uint8Array
}

/**
 * Recipient and facts of a message. `sent` runs after the mail server accepted the mail; if it fails, the mail is
 * retried.
 */
export interface MessageFacts<Facts> {
  to: string
  facts: Facts
  attachments?: Attachment[]
  sent?: () => Promise<void>
}

/** Sample of a message for the office's preview page. `name` is part of the sample's address and must stay the same. */
interface Sample<Facts> {
  name: string
  title: string
  facts: Facts
}

/** Kinds of jobs that send a message. */
export type MessageKind = Exclude<JobKind, 'send_refund' | 'lien_proof_kept'>

/** A kind of message. A job has little more than keys; its message is composed from the records when the job runs. */
export type Message<Kind extends MessageKind = MessageKind> = Described & {
  kind: Kind
} & (
    | {
        channel: 'mail'
        compose(
          services: Services,
          keys: JobKinds[Kind],
        ): Promise<(Omit<MessageFacts<unknown>, 'facts'> & { brand: MessageBrand; letter: Letter }) | null>
        samples: readonly { name: string; title: string; brand: MessageBrand; letter(): Letter }[]
      }
    | {
        channel: 'sms'
        compose(services: Services, keys: JobKinds[Kind]): Promise<{ to: string; text: string } | null>
        samples: readonly { name: string; title: string; text(): string }[]
      }
  )

/**
 * Declares a mail.
 * @param definition.facts loads recipient and facts; returns null without a recipient, or when the record is gone or
 *   has changed, so that nothing is sent or retried
 */
export const mail = <Kind extends MessageKind, Facts extends { brand: MessageBrand }>(
  kind: Kind,
  definition: Described & {
    facts(services: Services, keys: JobKinds[Kind]): Promise<MessageFacts<NoInfer<Facts>> | null>
    letter(facts: Facts): Letter
    samples: readonly [Sample<NoInfer<Facts>>, ...Sample<NoInfer<Facts>>[]]
  },
) => {
  const { facts: loadFacts, letter, samples, ...described } = definition
  return {
    ...described,
    kind,
    channel: 'mail' as const,
    async compose(services: Services, keys: JobKinds[Kind]) {
      const result = await loadFacts(services, keys)
      if (!result) return null
      const { facts, ...rest } = result
      return { ...rest, brand: facts.brand, letter: letter(facts) }
    },
    samples: samples.map(({ name, title, facts }) => ({
      name,
      title,
      brand: facts.brand,
      letter: () => letter(facts),
    })),
  }
}

/**
 * Declares a text message.
 * @param definition.facts loads recipient and facts; returns null when the record is gone or changed, so that nothing
 *   is sent or retried
 */
export const textMessage = <Kind extends MessageKind, Facts>(
  kind: Kind,
  definition: Described & {
    /** Loads the phone number, which may be a landline's, and the facts. */
    facts(services: Services, keys: JobKinds[Kind]): Promise<MessageFacts<NoInfer<Facts>> | null>
    text(facts: Facts): string
    sample: Sample<NoInfer<Facts>>
  },
) => {
  const { facts: loadFacts, text, sample, ...described } = definition
  return {
    ...described,
    kind,
    channel: 'sms' as const,
    async compose(services: Services, keys: JobKinds[Kind]) {
      const result = await loadFacts(services, keys)
      return result && { to: result.to, text: text(result.facts) }
    },
    samples: [{ name: sample.name, title: sample.title, text: () => text(sample.facts) }],
  }
}
