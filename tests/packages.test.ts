import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Locked {
  version: string
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}

/** Returns the package that Node would find from a folder of the lock file; undefined when it is not locked. */
function lockedFrom(folder: string, name: string): Locked | undefined {
  const found = packages[`${folder}${folder && '/'}node_modules/${name}`]
  return (
    found ?? (folder === '' ? undefined : lockedFrom(folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name))
  )
}

describe('The packages', () => {
  it('are locked for every platform, so that npm ci builds on macOS and Windows as it does on Linux', () => {
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !lockedFrom(folder, name))
        .map((name) => `${name}, of ${folder || 'this package'}`),
    )
    expect(missing).toEqual([])
  })

  it('are pinned to one version each', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    const { dependencies, devDependencies, optionalDependencies } = manifest as Record<string, Record<string, string>>
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      expect(packages[`node_modules/${name}`]?.version ?? version, name).toBe(version)
    }
  })
})
