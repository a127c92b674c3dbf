import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { withoutServerCode } from './app/build-guard.ts'

export default defineConfig({
  // What the build before made stays beside this one's: a page that is open asks for its scripts by their old names, and so
  // does every page of a site that runs on during a build. `server/build.mjs` removes what is a month old.
  build: { emptyOutDir: false },
  plugins: [tailwindcss(), withoutServerCode(), reactRouter()],
  environments: {
    // One server bundle holds the API and the pages, so no module exists twice (docs/decisions).
    ssr: {
      build: { rollupOptions: { input: './main.ts' } },
      // Whole, these two put 60 MB into an idle server: letters use ten of the mail components, and not the highlighter, the
      // style compiler and the Markdown reader that come with them.
      resolve: { noExternal: [/^@react-email\//, 'kysely'] },
    },
    // What every page of a journey needs comes in a few files instead of twenty: they compress better together.
    client: {
      build: {
        rolldownOptions: {
          // The router's hints for developers.
          treeshake: { manualPureFunctions: ['warning', 'warningOnce'] },
          // A text (`domain/texts`) stands in the page that says it.
          optimization: { inlineConst: true },
          output: {
            codeSplitting: {
              groups: [
                // What is left of the texts: those with something to fill in.
                { name: 'texts', test: /\/domain\/texts\// },
                // With it what loads a chunk later, or a later chunk would bring the forms along.
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\/|vite\/preload-helper/,
                },
                {
                  name: 'shell',
                  test: /\/app\/(ui\/(page|logo|dialog|buttons|surfaces|money|icons)|shell|error-page)\.tsx?$|\/domain\/phone\.ts$/,
                },
                // Apart from the shell, whose pages need no style of a form.
                {
                  name: 'journey',
                  test: /\/app\/(ui\/(journey|prices|records)|journey-page)\.tsx?$/,
                },
                {
                  name: 'forms',
                  test: /\/app\/(ui\/(fields\/[\w-]+|form-checks)|request\/(field-rules|submit))\.tsx?$|\/domain\/field-lengths\.ts$/,
                },
              ],
            },
          },
        },
      },
    },
  },
})
