import type { Plugin } from 'vite'

/**
 * Matches paths of code that runs only on the server. Rules and texts of modules are pure and run in browsers too;
 * `__vite-browser-external` is Vite's stub for a Node module.
 */
const serverOnly =
  /^((api|operator|platform|ports|server)\/|modules\/(?![^/]+\/(?:rules|texts)\/)|node:)|__vite-browser-external/

/**
 * Lists the server-only modules with code left in a browser script.
 * @param root the project's folder
 */
export const serverModulesOf = (
  root: string,
  modules: Readonly<Record<string, { renderedLength: number }>>,
): string[] =>
  Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replace(`${root}/`, ''))
    .filter((path) => serverOnly.test(path))

/** Fails the browser build when a page uses server code outside its loader and action. */
export function withoutServerCode(): Plugin {
  return {
    name: 'without-server-code',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const serverModules = chunk.type === 'chunk' ? serverModulesOf(this.environment.config.root, chunk.modules) : []
        if (serverModules.length > 0)
          this.error(`${chunk.fileName} would bring the server's ${serverModules.join(', ')} to the browser`)
      }
    },
  }
}

/** Escapes non-ASCII characters in server scripts: V8 stores an all-ASCII script in half the memory. */
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
