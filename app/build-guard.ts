import type { Plugin } from 'vite'

/** Folders that only a server has, and what stands for a module of Node in a browser. */
const serverOnly = /^((api|operator|platform|ports|server)\/|modules\/(?!agreements\/)|node:)|__vite-browser-external/

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
 * Fails the browser's build where a page brings server code along, by one call outside of its loader and action. Such a page
 * dies as its scripts begin, which rendering on the server never shows.
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
