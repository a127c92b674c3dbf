/** Follows the names that top-level functions and constants use, from one definition to the next. */
import { dirname, join, relative } from 'node:path'
import { root, sourcesOf } from './structure.ts'

export interface Definition {
  name: string
  path: string
  text: string
}

/** Returns the top-level functions and constants of each file of modules and platform, and its imports. */
function filesByPath() {
  const files = new Map<
    string,
    { own: Map<string, Definition>; imports: Map<string, { path: string; name: string }> }
  >()
  for (const { path, text } of ['modules', 'platform'].flatMap(sourcesOf)) {
    const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const) (\w+)/gm)]
    const own = new Map(
      starts.map(({ 1: name = '', index }, at) => [
        name,
        { name, path, text: text.slice(index + name.length, starts[at + 1]?.index ?? text.length) },
      ]),
    )
    files.set(path, { own, imports: importsOf(path, text) })
  }
  return files
}

/** Returns the names that a file imports by relative paths for use at run time, each with its file and its name there. */
export function importsOf(path: string, text: string): Map<string, { path: string; name: string }> {
  const imports = new Map<string, { path: string; name: string }>()
  for (const [, list = '', from = ''] of text.matchAll(/^import \{([^}]*)\} from '(\.[^']*)'/gm))
    for (const specifier of list.split(',').map((part) => part.trim())) {
      const [name = '', alias] = specifier.split(' as ')
      if (name && !name.startsWith('type '))
        imports.set(alias ?? name, { path: relative(root, join(root, dirname(path), from)), name })
    }
  return imports
}

const files = filesByPath()

/** All top-level functions and constants of modules and platform. */
export const definitions: readonly Definition[] = [...files.values()].flatMap(({ own }) => [...own.values()])

/** Returns the definition that a name refers to in a file; null for a name from elsewhere. */
export function definitionOf(path: string, name: string): Definition | null {
  const file = files.get(path)
  const own = file?.own.get(name)
  if (own) return own
  const from = file?.imports.get(name)
  return from ? definitionOf(from.path, from.name) : null
}

/**
 * Returns whether a definition, or one that it names by any number of steps, fulfills a condition.
 * @param through definitions whose names are followed; all by default
 */
export function leadsTo(
  definition: Definition,
  condition: (found: Definition) => boolean,
  through: (found: Definition) => boolean = () => true,
  visited: Set<Definition> = new Set(),
): boolean {
  if (condition(definition)) return true
  if (visited.has(definition) || !through(definition)) return false
  visited.add(definition)
  return [...new Set(definition.text.match(/\b[a-z]\w*\b/gi))].some((name) => {
    const found = definitionOf(definition.path, name)
    return found !== null && found !== definition && leadsTo(found, condition, through, visited)
  })
}
