import type { KeyState } from '../../../domain/machine-key-role-names-and-limits.ts'
import { Callout, Tag } from '../../ui/card-tag-and-callout.tsx'
import type { ShownLine } from '../office-action.ts'

const stateTags: Record<KeyState, { tone: 'good' | 'plain' | 'bad'; word: string }> = {
  working: { tone: 'good', word: 'Working' },
  ended: { tone: 'plain', word: 'Ended' },
  revoked: { tone: 'bad', word: 'Revoked' },
}

export const KeyStateTag = ({ state }: { state: KeyState }) => (
  <Tag tone={stateTags[state].tone}>{stateTags[state].word}</Tag>
)

/** Callout that shows a machine key's new secret, in this response only. */
export function NewSecret({ shown }: { shown: readonly ShownLine[] }) {
  const [line] = shown
  if (!line) return null
  return (
    <Callout tone="warn" title="Copy this key now" live>
      <p>
        <code className="inline-block rounded-tag border border-edge bg-card px-2 py-[0.3rem] wrap-anywhere select-all">
          {line[1]}
        </code>
      </p>
      <p>It is not shown again: only a fingerprint of it is kept. A program that has it can make the key’s calls.</p>
    </Callout>
  )
}
