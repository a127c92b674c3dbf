import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { messages } from '../domain/messages.ts'
import { serverModulesOf, slimManifest, withTextsInPlace } from './client-build.ts'

const parse = (code: string) => parseSync('page.js', code).program
const inPlace = (code: string) => withTextsInPlace(code, parse)
const imported = `import { labels } from '../../domain/labels.ts';\nimport { messages } from "../../domain/messages.ts";\n`

describe('sentences in place', () => {
  test('where a page says one, it stands there, quotes and final spaces included', () => {
    const code = inPlace(
      `${imported}export const say = (of) => [messages.emailIncorrect, labels.movedIn, of.messages, { messages: 1 }]`,
    )
    expect(code).toContain(
      `[("Please enter correct Email "), ("Congrats! You're moved in!"), of.messages, { messages: 1 }]`,
    )
    expect(code).not.toMatch(/\b(messages|labels)\.(emailIncorrect|movedIn)/)
  })

  test('what only the catalogue can answer is asked of it still', () => {
    const code = `${imported}export const say = (code, phone) => messages[code] + messages.unitsGone(phone) + messages.noSuchCode`
    expect(inPlace(code)).toBeNull()
  })

  test.each([
    ['a parameter', `(labels) => labels.movedIn`],
    ['a field taken from a parameter', `({ labels }) => labels.movedIn`],
    ['a variable', `() => { const labels = { movedIn: '' }; return labels.movedIn }`],
    ['what is caught', `() => { try { go() } catch (labels) { return labels.movedIn } }`],
  ])('%s of the same name is left alone', (_, text) => {
    expect(inPlace(`${imported}export const say = ${text}`)).toBeNull()
  })

  test('another module of that name is none of its business', () => {
    expect(inPlace(`import { messages } from './mails.ts'\nexport const text = messages.emailIncorrect`)).toBeNull()
    expect(
      inPlace(`import { messages as own } from '../domain/messages.ts'\nexport const text = own.movedIn`),
    ).toBeNull()
  })

  test('every sentence of the catalogue comes out as it is', () => {
    const codes = Object.entries(messages).filter(([, text]) => typeof text === 'string')
    const code = inPlace(`${imported}export default [${codes.map(([name]) => `messages.${name}`).join()}]`) as string
    const array = code.slice(code.indexOf('default ') + 8)
    expect(new Function(`return ${array}`)()).toEqual(codes.map(([, text]) => text))
  })
})

test('the server’s own rooms are no part of a script, wherever the project lies, unless nothing of them is left', () => {
  const root = '/app/server/latchkey'
  const left = { renderedLength: 12 }
  const found = serverModulesOf(root, {
    [`${root}/app/pay/receipt.tsx`]: left,
    [`${root}/app/tenant-page.tsx`]: left,
    [`${root}/domain/money.ts`]: left,
    [`${root}/node_modules/react/server/index.js`]: left,
    [`${root}/storage-system/tenants.ts`]: left,
    [`${root}/database/sealed.ts`]: { renderedLength: 0 },
    'node:crypto': left,
    '__vite-browser-external': left,
  })
  expect(found).toEqual(['storage-system/tenants.ts', 'node:crypto', '__vite-browser-external'])
})

describe('the list of routes', () => {
  const route = {
    id: 'reserve/add-contact',
    parentId: 'root',
    path: 'add-contact',
    hasLoader: true,
    hasClientLoader: false,
    module: '/assets/add-contact-1.js',
    imports: ['/assets/framework-1.js'],
    css: ['/assets/journey-1.css'],
  }
  const manifest = {
    entry: { module: '/assets/entry-1.js', imports: ['/assets/framework-1.js'], css: [] },
    version: '1',
  }
  const text = (routes: object) => `window.__reactRouterManifest=${JSON.stringify({ ...manifest, routes })};`

  test('says what is so, and no more', () => {
    const slim = slimManifest(text({ [route.id]: route, root: { id: 'root', module: '/assets/root-1.js', css: [] } }))
    const { hasClientLoader, imports, ...kept } = route
    expect(slim).toBe(
      `window.__reactRouterManifest=${JSON.stringify({
        entry: { ...manifest.entry, imports: [] },
        version: '1',
        routes: { [route.id]: kept, root: { id: 'root', module: '/assets/root-1.js' } },
      })};`,
    )
    expect(slimManifest(slim)).toBe(slim)
  })

  test('in another form it is refused, not guessed at', () => {
    expect(() => slimManifest('export default []')).toThrow('another form')
  })
})
