import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which rooms each room may import from, besides itself (ARCHITECTURE.md). */
const may: Record<string, readonly string[]> = {
  domain: [],
  ports: ['domain'],
  database: ['domain', 'ports', 'platform'],
  platform: ['domain', 'ports', 'database'],
  lease: ['domain', 'ports', 'database', 'platform'],
  notices: ['domain', 'ports', 'database', 'platform', 'lease'],
  paying: ['domain', 'ports', 'database', 'platform', 'lease', 'notices', 'storage-system', 'site-records'],
  'storage-system': ['domain', 'ports', 'database', 'platform', 'lease', 'notices', 'paying', 'site-records'],
  'site-records': ['domain', 'ports', 'database', 'platform', 'lease', 'notices', 'paying', 'storage-system'],
  app: ['domain', 'lease', 'notices', 'paying', 'storage-system', 'site-records'],
  demo: ['domain', 'ports', 'database', 'platform', 'lease', 'notices', 'paying', 'storage-system', 'site-records'],
  operator: [
    'domain',
    'ports',
    'database',
    'platform',
    'lease',
    'notices',
    'paying',
    'storage-system',
    'site-records',
    'demo',
    'server',
  ],
  // The clock's type and nothing more: see below.
  sandbox: ['ports'],
  server: [
    'domain',
    'ports',
    'database',
    'platform',
    'lease',
    'notices',
    'paying',
    'storage-system',
    'site-records',
    'app',
    'demo',
    'operator',
  ],
}

/** What `domain` may use from outside; it runs in the browser as well. */
const domainPackages = ['valibot', 'temporal-polyfill']

const root = resolve(import.meta.dirname, '..')

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    // Fixtures are programs of the tests, as testing.ts is.
    if (statSync(path).isDirectory()) return name === 'fixtures' ? [] : sources(path)
    return /\.tsx?$/.test(name) && !/\.(test|contract)\.tsx?$/.test(name) && !/testing/.test(name) ? [path] : []
  })
}

const imports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)

/** Uses of the machine's own clock and randomness; comments do not count. */
const ambient = (text: string): string[] =>
  [
    ...text
      .replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
      .matchAll(/\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(|\bcrypto\.(randomUUID|getRandomValues)\(/g),
  ].map((match) => match[0])

/**
 * What of a page's file runs on the server: loaders, actions and the like. Components and hooks run in the browser, whose
 * clock is its own; a file that has none of them is the server's altogether.
 */
function serverPart(path: string, text: string): string {
  const isBrowsers = /\.tsx$|\.client\.ts$/.test(path) || /from 'react'/.test(text)
  if (!isBrowsers) return text
  const functions =
    /^export (?:async function|function|const) (?:loader|action|headers|middleware)\b[\s\S]*?^[}\])]+$/gm
  return [...text.matchAll(functions)].map((match) => match[0]).join('\n')
}

describe('the import rule', () => {
  for (const [room, allowed] of Object.entries(may)) {
    it(`${room} imports from ${allowed.length ? allowed.join(', ') : 'itself'} only`, () => {
      const broken: string[] = []
      for (const file of sources(join(root, room))) {
        for (const specifier of imports(file)) {
          if (!specifier.startsWith('.')) {
            if (
              room === 'domain' &&
              !domainPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
            ) {
              broken.push(`${relative(root, file)} imports ${specifier}`)
            }
            continue
          }
          const target = relative(root, resolve(dirname(file), specifier))
          const other = target.split('/')[0] as string
          if (other !== room && other in may && !allowed.includes(other))
            broken.push(`${relative(root, file)} imports ${target}`)
        }
      }
      expect(broken).toEqual([])
    })
  }

  it('only the server picks adapters', () => {
    const adapters =
      /ports\/[a-z-]+\/(edge-express|gazetteer|configured|captured|smtp|folder|log|http|cdn-headers|s3|sentry)\.ts$/
    const broken: string[] = []
    for (const room of ['lease', 'notices', 'paying', 'storage-system', 'site-records', 'app', 'operator']) {
      for (const file of sources(join(root, room))) {
        const text = readFileSync(file, 'utf8')
        for (const match of text.matchAll(/^import (?!type)[^\n]*from '([^']+)'/gm)) {
          if (adapters.test(relative(root, resolve(dirname(file), match[1] as string))))
            broken.push(relative(root, file))
        }
      }
    }
    expect(broken).toEqual([])
  })

  it('the sandbox shares no code with the adapter that talks to it', () => {
    const taken = sources(join(root, 'sandbox')).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import ([^\n]*) from '(\.\.\/[^']+)'/gm)].map((match) =>
        match.slice(1, 3),
      ),
    )
    for (const one of taken) expect(one).toEqual(['type { Clock }', '../ports/clock.ts'])
    expect(taken.length).toBeGreaterThan(0)
  })

  it('clock and randomness are passed in', () => {
    const broken: string[] = []
    for (const room of Object.keys(may)) {
      if (room === 'server' || room === 'sandbox') continue
      for (const file of sources(join(root, room))) {
        const path = relative(root, file)
        const text = readFileSync(file, 'utf8')
        for (const found of ambient(room === 'app' ? serverPart(path, text) : text)) broken.push(`${path}: ${found}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('finds a clock and randomness that are not', () => {
    const loader = "import { useState } from 'react'\nexport async function loader() {\n  const a = Date.now()\n}\n"
    const page = 'export default function Page() {\n  const b = new Date()\n}\n'
    expect(ambient(serverPart('app/x.tsx', loader + page))).toEqual(['Date.now('])
    expect(ambient(serverPart('app/x.ts', page))).toEqual(['new Date()'])
    expect(ambient('// Date.now() of old\nconst a = Math.random() + new Date(0).getTime() + x.Date.now\n')).toEqual([
      'Math.random(',
    ])
  })

  it('no room is called utils, helpers, misc, common or manager', () => {
    const files = Object.keys(may).flatMap((room) => sources(join(root, room)))
    expect(files.filter((file) => /(utils?|helpers?|misc|common|manager)\.tsx?$/.test(file))).toEqual([])
  })

  it('reads no part of the server from the build later than at its start: the build may have been made anew by then', () => {
    const rooms = Object.keys(may).filter((room) => !['app', 'sandbox'].includes(room))
    const later = rooms.flatMap((room) =>
      sources(join(root, room)).flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\bimport\('(\.[^']+|virtual:[^']+)'\)/g)].map(
          (match) => `${relative(root, path)} ${match[1]}`,
        ),
      ),
    )
    expect(later.sort()).toEqual([
      // The operator's commands, in a process of their own.
      'server/app.ts ../operator/commands.ts',
      // Both before the site listens.
      'server/app.ts virtual:react-router/server-build',
      'site-records/notices.ts ../notices/notices.ts',
    ])
    expect(readFileSync(join(root, 'server/app.ts'), 'utf8')).toMatch(
      /await Promise\.all\(\[making\(\), letters\(\)\]\)\n\s+const server = await opening\('socket'/,
    )
  })
})
