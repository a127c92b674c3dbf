import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..')

/**
 * Bundles a program that the tests of a file start many times, because one bundle starts faster than hundreds of source
 * files. Call it at the file's top level.
 * @returns function that returns the bundle's path during the tests
 */
export function bundledProgram(source: string): () => string {
  // The folder is within the source tree, where Node finds the packages.
  const parent = join(root, 'node_modules', '.cache')
  let folder = ''
  beforeAll(async () => {
    mkdirSync(parent, { recursive: true })
    folder = mkdtempSync(join(parent, 'program-'))
    // As in the release's bundle, only the used components of mails are loaded, not their code highlighter.
    const ssr = { noExternal: [/^@react-email\//] }
    await build({ root, configFile: false, logLevel: 'error', ssr, build: { ssr: source, outDir: folder } })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => join(folder, `${basename(source, '.ts')}.js`)
}
