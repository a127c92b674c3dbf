/**
 * Measures the scripts that a page loads, from the page or, for hydrated routes, from the manifest. The search box's own
 * script (`near-me-script`) does not count.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export async function publicScript(origin: string, path: string): Promise<number> {
  const html = await (await fetch(new URL(path, origin))).text()
  let bytes = 0
  // Speculation rules and linked data are no scripts.
  for (const [, attributes = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g))
    if (!/type="(speculationrules|application\/(ld\+)?json)"/.test(attributes)) bytes += Buffer.byteLength(text)
  for (const [, address = ''] of html.matchAll(/<(?:script|link) [^>]*="([^"]+\/(?!near-me-script-)[^"/]+\.m?js)"/g))
    bytes += gzipSync(Buffer.from(await (await fetch(new URL(address, origin))).arrayBuffer())).length
  return bytes
}

interface Route {
  id: string
  parentId?: string
  path?: string
  module: string
}

function manifestOf(client: string, name: string) {
  const text = readFileSync(join(client, 'assets', name), 'utf8')
  const { entry, routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as {
    entry: { module: string }
    routes: Record<string, Route>
  }
  return { address: `/assets/${name}`, entry, routes }
}

export function routeWeights(root: string): { path: string; script: number }[] {
  const client = join(root, 'build', 'client')
  // Manifests of earlier builds are in the same folder.
  const [file] = readdirSync(join(client, 'assets'))
    .filter((name) => /^manifest-.*\.js$/.test(name))
    .map((name) => ({ name, at: statSync(join(client, 'assets', name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  if (!file) throw new Error('The build has no manifest')
  const read = new Map<string, { size: number; imports: string[] }>()
  const open = (address: string) => {
    let entry = read.get(address)
    if (!entry) {
      const script = readFileSync(join(client, address), 'utf8')
      const imports = [...script.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)]
      entry = { size: gzipSync(script, { level: 9 }).length, imports: imports.map(([, name]) => `/assets/${name}`) }
      read.set(address, entry)
    }
    return entry
  }
  const weights: { path: string; script: number }[] = []
  // One manifest for the office and one for the site.
  for (const manifest of [file.name, `site-${file.name}`].map((name) => manifestOf(client, name)))
    for (const route of Object.values(manifest.routes)) {
      const chain = [route]
      for (let up = manifest.routes[route.parentId ?? '']; up; up = manifest.routes[up.parentId ?? '']) chain.push(up)
      // Public pages load no scripts; development pages are not measured.
      if (route.path === undefined || chain.some((ancestor) => /find-storage|(development|dev)\//.test(ancestor.id)))
        continue
      const needed = new Set([manifest.address, manifest.entry.module])
      for (const { module } of chain) needed.add(module)
      // Iterating a set includes entries that are added meanwhile.
      for (const address of needed) for (const imported of open(address).imports) needed.add(imported)
      const script = [...needed].reduce((sum, address) => sum + open(address).size, 0)
      weights.push({ path: `/${route.path}`, script })
    }
  return weights.sort((a, b) => b.script - a.script)
}
