import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that comments and documents do not use, each with the one to write instead (style guide: CONTRIBUTING.md). */
const terms: readonly (readonly [RegExp, string])[] = [
  [/\b(who|whom)ever\b/i, 'name the person: renter, tenant, staff member, visitor'],
  [/\b(somebody|nobody)\b/i, 'name the person: renter, tenant, staff member, visitor'],
  [/\b(person|people) of the office\b/i, 'staff member'],
  [/\bwho(ever)? is signed in\b/i, 'the signed-in tenant or staff member'],
  [/\b(is|are|was|were|be|been) told\b(?! apart)/i, 'say who notifies whom, or "learns"'],
  [/\b(go|goes|going|went) by\b/i, 'uses, follows, depends on'],
  [/\banew\b/i, 'again'],
  [/\bfrom afar\b/i, 'from a distance, remotely'],
  [/\bpretend(s|ed)?\b/i, 'simulated'],
  [/\bgiven up\b/i, 'failed, dead job'],
  [/\btak(e|es|en|ing) back\b|\btook back\b/i, 'reversed, withdrawn, undone'],
  [/\bput back\b/i, 'restored'],
  [/\bunder way\b/i, 'in progress'],
  [/\bon its way\b(?! to)/i, 'pending'],
  [/\bstands? (in|beside|under|there)\b(?! for)/i, 'is in, is beside'],
  [/\bof ours\b/i, 'our own'],
  [/\blaid over\b/i, 'merged with'],
  [/\b(colour|cheque|behaviour|licence|favour)s?\b/, 'US spelling'],
  [/(?<=^|[.:] )Of (a|an|the) [^.:]{0,80}: /, 'begin with subject and verb'],
]

/** Replaces quoted sentences, code and identifiers in a text, which are not our prose. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`]*`|"[^"\n]*"|“[^”]*”|‘[^’]*’|(?<![\w’])'[^']{1,160}'(?!\w)/g, '…')

/** Returns the comments of a source, each as one line without its marks. */
function commentsOf(source: string): string[] {
  const marks = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|(?:^|(?<=[\s;{(,]))\/\/.*(?:\n[ \t]*\/\/.*)*/g
  return [...source.matchAll(marks)]
    .map(([text]) => text)
    .filter((text) => text.startsWith('/'))
    .map((text) =>
      text
        .replace(/^\/\*+|\*\/$|^\s*(\*|\/\/)( |$)/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
}

const textsOf = (file: string, content: string): string[] =>
  file.endsWith('.md')
    ? withoutQuotes(content).split(/\n{2,}|\n(?=[-|#]|\d+\. )/)
    : commentsOf(content).map(withoutQuotes)

/** Returns the forbidden words of a file, each with the words around it and those to write instead. */
function violationsOf(file: string, content: string): string[] {
  return textsOf(file, content).flatMap((text) => {
    const line = text.replace(/\s+/g, ' ')
    return terms.flatMap(([term, instead]) => {
      const found = term.exec(line)
      if (!found) return []
      return [`${file}: …${line.slice(Math.max(0, found.index - 40), found.index + 50)}… → ${instead}`]
    })
  })
}

it('finds planted words in comments and documents, and none in code or quotes', () => {
  const planted = [
    '/** Whoever opened it. */',
    '// The staff member is told by mail.',
    'export const a = 1 // goes by the name',
    '/**\n * Of a lease that has ended: what is\n * owed.\n */',
    '{/* A pretend bank. */}',
    '// A job that was\n// given up.',
  ]
  expect(planted.filter((text) => violationsOf('planted.tsx', text).length !== 1)).toEqual([])
  expect(violationsOf('planted.md', 'The order is\nunder way.\n\n- Nobody reads it.')).toHaveLength(2)

  const allowed = [
    "export const text = 'Nobody is told // anew'",
    '/** Returns `anew`, shown as “Somebody has changed this”. */',
    '// Guests are told apart by their sign-in.',
    "const url = 'https://example.com/anew' // Address of the example.",
  ]
  expect(allowed.flatMap((text) => violationsOf('planted.ts', text))).toEqual([])
  expect(violationsOf('planted.md', '```\nanew\n```\n\nThe mail says "Nobody was charged".')).toEqual([])
})

it('comments and documents use the words of the style guide', () => {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = stdout.split('\n').filter((file) => file !== '' && file !== 'tests/comment-and-document-words.test.ts')
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})
