/** What a page makes a browser load: read from the page itself, or for hydrated routes from the build's manifest. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export interface PublicWeight {
  path: string
  /** Bytes of script over the wire. */
  script: number
  /** Everything that the page loads by itself, over the wire with brotli. */
  all: number
  parts: Record<string, number>
}

/** A public page with all that it names: styles, fonts, pictures, scripts. @throws Error where anything is missing */
export async function publicWeight(origin: string, path: string): Promise<PublicWeight> {
  const get = async (address: string) => {
    const answer = await fetch(new URL(address, origin), { headers: { 'accept-encoding': 'identity' } })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`${address}, which ${path} asks for, answers ${answer.status}`)
    return body
  }
  const wire = (address: string, body: Buffer) =>
    /\.(woff2|png|jpe?g|webp|avif)$/.test(address) ? body.length : brotliCompressSync(body).length
  const html = (await get(path)).toString('utf8')
  const parts: Record<string, number> = { html: brotliCompressSync(html).length }
  let script = 0
  const named = new Set<string>()
  for (const [tag] of html.matchAll(/<(?:link|script|img|source)\b[^>]*>/g)) {
    const loads = /^<link/.test(tag) ? /rel="(?:stylesheet|preload|modulepreload|icon)"/.test(tag) : true
    const address = /\b(?:href|src)="([^"]+)"/.exec(tag)?.[1]
    if (loads && address && !address.startsWith('data:') && !/\bloading="lazy"/.test(tag)) named.add(address)
  }
  for (const [, attributes = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    // Speculation rules are data for the browser, not a program.
    if (!/type="(speculationrules|application\/(ld\+)?json)"/.test(attributes)) script += Buffer.byteLength(text)
  }
  for (const address of named) {
    const body = await get(address)
    parts[address] = wire(address, body)
    if (/\.m?js$/.test(address)) script += gzipSync(body).length
    if (/\.css$/.test(address))
      for (const font of fontsFor(readable(html), body.toString('utf8')))
        if (!named.has(font)) parts[font] ??= wire(font, await get(font))
  }
  return { path, script, all: Object.values(parts).reduce((sum, one) => sum + one, 0), parts }
}

/** The page's text, roughly: without tags and programs. */
const readable = (html: string) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&(amp|lt|gt|quot|nbsp);/g, ' ')

/** Font files that a browser fetches for a text: of a family's faces the last that has a character counts for it. */
function fontsFor(text: string, css: string): string[] {
  const families = new Map<string, { file: string; has: (code: number) => boolean }[]>()
  for (const [, face = ''] of css.matchAll(/@font-face\s*\{([^}]*)\}/g)) {
    const family = /font-family:\s*["']?([^;"']+)/.exec(face)?.[1]
    const file = /url\(["']?(\/[^"')]+\.woff2)/.exec(face)?.[1]
    if (!family || !file) continue
    const ranges = (/unicode-range:\s*([^;}]+)/.exec(face)?.[1] ?? '').split(',').filter(Boolean)
    const bounds = ranges.map((range) => {
      const [from = '', to] = range.trim().replace(/^u\+/i, '').split('-')
      const [low, high] = [from.replace(/\?/g, '0'), to ?? from.replace(/\?/g, 'f')]
      return [Number.parseInt(low, 16), Number.parseInt(high, 16)] as const
    })
    const has = (code: number) => bounds.length === 0 || bounds.some(([low, high]) => code >= low && code <= high)
    families.set(family, [{ file, has }, ...(families.get(family) ?? [])])
  }
  const codes = new Set([...text].map((character) => character.codePointAt(0) as number).filter((code) => code > 32))
  const files = new Set<string>()
  for (const faces of families.values())
    for (const code of codes) {
      const face = faces.find((one) => one.has(code))
      if (face) files.add(face.file)
    }
  return [...files]
}

export interface RouteWeight {
  path: string
  /** Bytes of script with gzip before anything that is loaded later. */
  script: number
  /** The heaviest files, as `name: kB`. */
  heaviest: string[]
}

interface Manifest {
  entry: { module: string }
  url: string
  routes: Record<
    string,
    { id: string; parentId?: string; path?: string; module: string } & {
      clientActionModule?: string
      clientLoaderModule?: string
      hydrateFallbackModule?: string
    }
  >
}

/** Every hydrated page of the build, the heaviest first. */
export function routeWeights(root: string): RouteWeight[] {
  const client = join(root, 'build', 'client')
  const assets = join(client, 'assets')
  // Those of former builds lie beside it.
  const [file] = readdirSync(assets)
    .filter((name) => /^manifest-.*\.js$/.test(name))
    .sort((a, b) => statSync(join(assets, b)).mtimeMs - statSync(join(assets, a)).mtimeMs)
  if (!file) throw new Error('The build has no manifest')
  const text = readFileSync(join(assets, file), 'utf8')
  const manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (address: string) => {
    let size = sizes.get(address)
    if (size === undefined) {
      size = gzipSync(readFileSync(join(client, address)), { level: 9 }).length
      sizes.set(address, size)
    }
    return size
  }
  const importsOf = (address: string) =>
    [...readFileSync(join(client, address), 'utf8').matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(
      ([, name]) => `/assets/${name}`,
    )
  const weights: RouteWeight[] = []
  for (const route of Object.values(manifest.routes)) {
    const chain = [route]
    for (let up = route.parentId; up; up = manifest.routes[up]?.parentId) {
      const parent = manifest.routes[up]
      if (parent) chain.push(parent)
    }
    // Public pages load no scripts; the development pages are nobody's journey.
    if (route.path === undefined || chain.some((one) => /find-storage|development\//.test(one.id))) continue
    const needed = new Set([`/assets/${file}`, manifest.entry.module])
    for (const one of chain) {
      const modules = [one.module, one.clientActionModule, one.clientLoaderModule, one.hydrateFallbackModule]
      for (const address of modules) if (address) needed.add(address)
    }
    // A set is walked to its end while it grows: what an import imports counts as well.
    for (const address of needed) for (const imported of importsOf(address)) needed.add(imported)
    const by = [...needed].sort((a, b) => sizeOf(b) - sizeOf(a))
    weights.push({
      path: `/${route.path}`,
      script: by.reduce((sum, address) => sum + sizeOf(address), 0),
      heaviest: by.slice(0, 5).map((address) => `${address.split('/').pop()} ${(sizeOf(address) / 1000).toFixed(1)}`),
    })
  }
  return weights.sort((a, b) => b.script - a.script)
}
