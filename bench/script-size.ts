/**
 * Measures the scripts that pages load: those of a public page from its HTML, those of a hydrated route from the
 * build's manifests.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Returns the bytes of a page's scripts: inline text, and gzipped files that it loads or preloads, except the search
 * box's `near-me-script`.
 */
export async function measurePublicScripts(origin: string, path: string): Promise<number> {
  const html = await (await fetch(new URL(path, origin))).text()
  let bytes = 0
  // Speculation rules and JSON data are not executed.
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

/**
 * Returns the gzipped bytes of the scripts that each hydrated route imports statically, the heaviest route first.
 * @throws Error if the build has no manifest
 */
export function measureRouteScripts(root: string): { path: string; script: number }[] {
  const client = join(root, 'build', 'client')
  // The folder also holds manifests of earlier builds, so the newest one is taken.
  const [newest] = readdirSync(join(client, 'assets'))
    .filter((name) => /^manifest-.*\.js$/.test(name))
    .map((name) => ({ name, modifiedAt: statSync(join(client, 'assets', name)).mtimeMs }))
    .sort((a, b) => b.modifiedAt - a.modifiedAt)
  if (!newest) throw new Error('The build has no manifest')
  const scripts = new Map<string, { size: number; imports: string[] }>()
  const readScript = (address: string) => {
    let entry = scripts.get(address)
    if (!entry) {
      const script = readFileSync(join(client, address), 'utf8')
      const imports = [...script.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)]
      entry = { size: gzipSync(script, { level: 9 }).length, imports: imports.map(([, name]) => `/assets/${name}`) }
      scripts.set(address, entry)
    }
    return entry
  }
  const weights: { path: string; script: number }[] = []
  // One manifest for the office and one for the site.
  for (const manifest of [newest.name, `site-${newest.name}`].map((name) => manifestOf(client, name)))
    for (const route of Object.values(manifest.routes)) {
      const chain = [route]
      for (let parent = manifest.routes[route.parentId ?? '']; parent; parent = manifest.routes[parent.parentId ?? ''])
        chain.push(parent)
      // Public pages are not hydrated, and development pages are not part of the product.
      if (route.path === undefined || chain.some((ancestor) => /find-storage|(development|dev)\//.test(ancestor.id)))
        continue
      const needed = new Set([manifest.address, manifest.entry.module])
      for (const { module } of chain) needed.add(module)
      // Iterating a set also visits entries added during the iteration, so imports of imports are included.
      for (const address of needed) for (const imported of readScript(address).imports) needed.add(imported)
      const script = [...needed].reduce((sum, address) => sum + readScript(address).size, 0)
      weights.push({ path: `/${route.path}`, script })
    }
  return weights.sort((a, b) => b.script - a.script)
}
