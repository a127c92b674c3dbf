import type { Plugin } from 'vite'

/** Rules and texts of a subject, and the agreement, are pure: they run in both. */
const serverOnly =
  /^((api|operator|platform|ports|server)\/|modules\/(?!agreements\/|[^/]+\/(?:rules|texts)\/)|node:)|__vite-browser-external/

/** @returns the modules of a script of which something is left and that no browser can run; `root` is the project's folder */
export const serverModulesOf = (
  root: string,
  modules: Readonly<Record<string, { renderedLength: number }>>,
): string[] =>
  Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replace(`${root}/`, ''))
    .filter((path) => serverOnly.test(path))

/** Fails the browser's build where a page calls server code outside of its loader and action: it would die as scripts begin. */
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

/** V8 keeps a script in half the memory where all of its characters are ASCII. */
export function asciiOnServer(): Plugin {
  return {
    name: 'ascii-on-server',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          chunk.code = chunk.code.replace(
            /[^\0-\x7f]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
    },
  }
}
