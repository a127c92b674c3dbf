/**
 * What the build does so that a browser has less to fetch (docs/decisions/performance.md). Development goes without it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { messages } from '../domain/messages.ts'

interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* partsOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode)
    else if (isNode(value)) yield value
  }
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node.name as string) : undefined

const catalogues = /\/domain\/(messages|labels)\.ts$|^\.\/(messages|labels)\.ts$/

/**
 * Puts the sentence itself where a module says `messages.emailRequired` or `labels.myUnits`: the catalogue then stays out of
 * a page that says five of its sentences. Sentences that are functions, or are asked for by a computed code, still come from it.
 *
 * @param code JavaScript
 * @param parse its syntax tree (ESTree)
 * @returns null where nothing is to be done; also where a module gives the catalogue's name to something of its own
 */
export function withTextsInPlace(code: string, parse: (code: string) => unknown): string | null {
  if (!/\b(messages|labels)\b/.test(code)) return null
  const program = parse(code) as Node
  const local = new Set<string>()
  const found: { start: number; end: number; text: string }[] = []
  const visit = (node: Node): boolean => {
    if (node.type === 'ImportDeclaration') {
      const from = (node.source as Node).value
      if (typeof from === 'string' && catalogues.test(from))
        for (const one of node.specifiers as Node[]) {
          const name = nameOf(one.local)
          if (one.type === 'ImportSpecifier' && name && name === nameOf(one.imported)) local.add(name)
        }
      return true
    }
    const bound = [node.params, node.id, node.param, ...(node.type === 'ObjectPattern' ? [node.properties] : [])].flat()
    if (bound.some((one) => local.has(nameOf(one) ?? nameOf((one as Node | null)?.value) ?? ''))) return false
    if (node.type === 'MemberExpression' && !node.computed && local.has(nameOf(node.object) ?? '')) {
      const text = (messages as Record<string, unknown>)[nameOf(node.property) ?? '']
      if (typeof text === 'string') found.push({ start: node.start, end: node.end, text })
      return true
    }
    return [...partsOf(node)].every(visit)
  }
  if (!visit(program) || found.length === 0) return null
  let rest = code
  for (const { start, end, text } of found.sort((a, b) => b.start - a.start))
    rest = `${rest.slice(0, start)}(${JSON.stringify(text)})${rest.slice(end)}`
  return rest
}

/** See `withTextsInPlace`; for the browser's build alone, since the server holds every sentence anyway. */
export function textsInPlace(): Plugin {
  return {
    name: 'texts-in-place',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform(code, id) {
      if (id.includes('/node_modules/') || !/\.tsx?(\?|$)/.test(id)) return null
      // Said so outright, or a module that needs nothing of it any more would still be made to load it.
      const sideEffects = catalogues.test(id) ? { moduleSideEffects: false } : {}
      const changed = withTextsInPlace(code, (text) => this.parse(text))
      return { code: changed ?? code, map: null, ...sideEffects }
    },
  }
}

/**
 * Modules of React Router that do nothing on this site, by the end of their path: handlers that watch the router (nobody
 * does), and asking for routes as they come into sight (the whole list is there from the start).
 */
const idle: Record<string, string> = {
  '/lib/router/instrumentation.js': `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined
    export const getRouteInstrumentationUpdates = () => ({})
    export const instrumentClientSideRouter = (router) => router
    export const instrumentHandler = undefined, instrumentationResultMetaContext = undefined`,
  '/lib/dom/ssr/fog-of-war.js': `
    export const isFogOfWarEnabled = () => false
    export const useFogOFWarDiscovery = () => {}
    export const getPatchRoutesOnNavigationFunction = () => undefined
    export const getPartialManifest = undefined, getManifestPath = undefined, getPathsWithAncestors = undefined
    export const handleClientVersionMismatch = undefined, URL_LIMIT = 0`,
}

/**
 * Leaves the idle modules of the router out of the browser's build. A newer router that has them no more, or asks something
 * else of them, fails the build and not a page.
 */
export function withoutIdleRouterParts(): Plugin {
  const left = new Set<string>()
  return {
    name: 'without-idle-router-parts',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    enforce: 'pre',
    load(id) {
      const part = Object.keys(idle).find((end) => id.endsWith(`/react-router/dist/production${end}`))
      if (part === undefined) return null
      left.add(part)
      return { code: idle[part] as string, moduleSideEffects: false }
    },
    buildEnd(error) {
      const missing = Object.keys(idle).filter((part) => !left.has(part))
      if (!error && missing.length > 0) this.error(`React Router has no ${missing.join(', ')} any more`)
    },
  }
}

/** Rooms that only a server has, and what stands for a module of Node in a browser. */
const serverOnly =
  /^(database|ports|paying|storage-system|site-records|notices|operator|server)\/|^node:|__vite-browser-external/

/**
 * @param root the project's folder
 * @param modules the modules of a script, with how much of each is left in it, characters
 * @returns those that no browser can run
 */
export const serverModulesOf = (
  root: string,
  modules: Readonly<Record<string, { renderedLength: number }>>,
): string[] =>
  Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replace(`${root}/`, ''))
    .filter((path) => serverOnly.test(path))

/**
 * Fails the browser's build where a page has brought the server's code along: by one call outside of its loader and action
 * it does, and then the page's scripts die as they begin, which rendering on the server never shows.
 */
export function withoutServerCode(): Plugin {
  return {
    name: 'without-server-code',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const found = chunk.type === 'chunk' ? serverModulesOf(this.environment.config.root, chunk.modules) : []
        if (found.length > 0)
          this.error(`${chunk.fileName} would bring the server's ${found.join(', ')} to the browser`)
      }
    },
  }
}

/**
 * The list of routes that every page loads, without what only the server reads: which files a route imports (the page has
 * them named for preloading, and a module fetches its own) and what is false or empty.
 *
 * @param text `window.__reactRouterManifest={…};`
 * @throws Error where it looks otherwise
 */
export function slimManifest(text: string): string {
  const [, start, json, end] = /^([^{]*=)(\{[\s\S]*\})(;?\s*)$/.exec(text) ?? []
  if (!start || !json) throw new Error('The list of routes has another form than the build knows')
  const manifest = JSON.parse(json) as { entry: { imports: string[] }; routes: Record<string, object> }
  manifest.entry.imports = []
  const needless = ([name, value]: [string, unknown]) =>
    name === 'imports' || value === false || (Array.isArray(value) && value.length === 0)
  for (const [id, route] of Object.entries(manifest.routes))
    manifest.routes[id] = Object.fromEntries(Object.entries(route).filter((entry) => !needless(entry)))
  return `${start}${JSON.stringify(manifest)}${end}`
}

/** Makes the list of routes slim where it lies. @param folder the scripts of the browser's build. @throws Error without a list */
export function slimManifests(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^manifest-\w+\.js$/.test(name))
  if (names.length === 0) throw new Error('The build has no list of routes')
  for (const name of names) {
    const file = join(folder, name)
    writeFileSync(file, slimManifest(readFileSync(file, 'utf8')))
  }
}
