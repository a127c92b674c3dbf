/** What a mail or text message is: whom it is about, how long it is of use, what it says, and a sample of it. */
import type { Services } from '../../platform/operations/services.ts'
import type { JobKind, JobKinds } from '../../platform/schema/job-kinds.ts'
import type { Letter, NoticeBrand } from './letter.tsx'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Kind of record whose key begins the `once` of a message's job. A tenant's file finds its messages by it. */
export type About =
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

/** Name and record of a message in a tenant's file; null for messages to others, or without the tenant's key. */
type OnFile = { about: About; name: string } | { about: null }

type Described = OnFile & {
  /** Maximum age in milliseconds. A code or link that arrives later confuses, or has expired. */
  staleAfter?: number
}

interface Attachment {
  filename: string
  contentType: string
  content: Uint8Array
}

/** `sent` runs once the mail server has taken the mail; where it fails, the mail is tried again. */
export interface Found<Facts> {
  to: string
  facts: Facts
  attachments?: Attachment[]
  sent?: () => Promise<void>
}

/** The name is stable, for addresses of the preview page. */
interface Sample<Facts> {
  name: string
  title: string
  facts: Facts
}

/** Other jobs send nothing. */
export type MessageKind = Exclude<JobKind, 'send_refund' | 'lien_proof_kept'>

/** A job holds keys alone; what a message says is read from the record when it is sent. */
export type Message<Kind extends MessageKind = MessageKind> = Described & {
  kind: Kind
} & (
    | {
        channel: 'mail'
        compose(
          services: Services,
          keys: JobKinds[Kind],
        ): Promise<(Omit<Found<unknown>, 'facts'> & { brand: NoticeBrand; letter: Letter }) | null>
        samples: readonly { name: string; title: string; brand: NoticeBrand; letter(): Letter }[]
      }
    | {
        channel: 'sms'
        compose(services: Services, keys: JobKinds[Kind]): Promise<{ to: string; text: string } | null>
        samples: readonly { name: string; title: string; text(): string }[]
      }
  )

/** @param of.facts null where the record is gone or changed: nothing to send, and no retry */
export const mail = <Kind extends MessageKind, Facts extends { brand: NoticeBrand }>(
  kind: Kind,
  of: Described & {
    facts(services: Services, keys: JobKinds[Kind]): Promise<Found<NoInfer<Facts>> | null>
    letter(facts: Facts): Letter
    samples: readonly [Sample<NoInfer<Facts>>, ...Sample<NoInfer<Facts>>[]]
  },
) => {
  const { facts: read, letter, samples, ...described } = of
  return {
    ...described,
    kind,
    channel: 'mail' as const,
    async compose(services: Services, keys: JobKinds[Kind]) {
      const found = await read(services, keys)
      if (!found) return null
      const { facts, ...rest } = found
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

export const textMessage = <Kind extends MessageKind, Facts>(
  kind: Kind,
  of: Described & {
    /** `to`: a number, which need not be a cell phone's. */
    facts(services: Services, keys: JobKinds[Kind]): Promise<Found<NoInfer<Facts>> | null>
    text(facts: Facts): string
    sample: Sample<NoInfer<Facts>>
  },
) => {
  const { facts: read, text, sample, ...described } = of
  return {
    ...described,
    kind,
    channel: 'sms' as const,
    async compose(services: Services, keys: JobKinds[Kind]) {
      const found = await read(services, keys)
      return found && { to: found.to, text: text(found.facts) }
    },
    samples: [{ name: sample.name, title: sample.title, text: () => text(sample.facts) }],
  }
}
