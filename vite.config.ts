import { existsSync } from 'node:fs'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { asciiOnServer, withoutServerCode } from './app/server-code-vite-plugins.ts'

/**
 * Matches source files by path. The bundler reports no error for a group that matches no file, so this function checks.
 * @throws Error if a file does not exist
 */
function sourceFiles(...paths: string[]): RegExp {
  const missing = paths.filter((path) => !existsSync(new URL(path, import.meta.url)))
  if (missing.length > 0) throw new Error(`vite.config.ts names files that do not exist: ${missing.join(', ')}`)
  return new RegExp(`/(?:${paths.join('|').replaceAll('.', '\\.')})$`)
}

/**
 * Packages in the server's bundle, so that the server starts faster. Packages with files of their own (native code,
 * fonts, workers) stay outside, and React, which must exist once.
 */
const bundledPackages = [
  /^@react-email\//,
  // `sanitize-html` needs newer versions of these packages than those at the top of `node_modules`.
  /^(dom(-serializer|utils|handler|elementtype)|entities)$/,
  /^(launder|dayjs|parse-srcset|postcss|nanoid|picocolors|source-map-js|escape-string-regexp|is-plain-object)$/,
  /^pg(-|$)/,
  /^(postgres-(array|bytea|date|interval)|xtend)$/,
  /^(tdigest|bintrees)$/,
  '@fastify/busboy',
  '@hono/node-server',
  '@opentelemetry/api',
  '@valibot/to-json-schema',
  'aws4fetch',
  'croner',
  'csv-parse',
  'fflate',
  'hono',
  'kysely',
  'nodemailer',
  'prom-client',
  'sanitize-html',
  'temporal-polyfill',
  'temporal-utils',
  'uqr',
  'valibot',
]

export default defineConfig(({ command }) => ({
  // Open pages ask for scripts of earlier builds; `server/build.mjs` removes them after a month.
  build: { emptyOutDir: false },
  // Small scripts of public pages are imported as `?worker&url`; the check scanner starts a module worker.
  worker: { format: 'es' },
  plugins: [tailwindcss(), withoutServerCode(), asciiOnServer(), reactRouter()],
  environments: {
    // One bundle for API and pages, so that no module exists twice.
    ssr: {
      // The engine keeps the source in memory, so comments are left out.
      build: { rolldownOptions: { input: './main.ts', output: { comments: false } } },
      resolve: {
        // React Router's plugin leaves out this condition, without which pdfkit resolves to its browser build.
        conditions: ['node'],
        externalConditions: ['node'],
        // The development server cannot run CommonJS packages as modules of its own.
        noExternal: command === 'build' ? bundledPackages : [],
      },
    },
    // The groups below collect code in few files, which compress better than many small ones.
    client: {
      build: {
        rolldownOptions: {
          treeshake: {
            // React Router's hints for developers are left out.
            manualPureFunctions: ['warning', 'warningOnce'],
            // A page whose loader alone uses a rule or sentence must not load that rule's chunk, which may have styles.
            moduleSideEffects: [
              { test: /\/domain\/|\/modules\/[\w-]+\/(?:rules|texts)\//, sideEffects: false },
              { test: /./, sideEffects: true },
            ],
          },
          optimization: { inlineConst: true },
          output: {
            codeSplitting: {
              groups: [
                // The table of refusals with its sentences: only pages that show a refusal load it.
                { name: 'refusals', test: sourceFiles('app/ui/refusal-advice-texts.ts') },
                // Sentences that many renters' pages share. The office's are left out, since no renter needs them.
                {
                  name: 'texts',
                  test: /\/domain\/texts\/(?!office|audit|ledger-refusals)|\/modules\/(leases|payments)\/texts\//,
                },
                // Includes Vite's preload helper. If another chunk held the helper, pages would load that chunk too.
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\/|vite\/preload-helper/,
                },
                {
                  name: 'shell',
                  test: sourceFiles(
                    'app/site-header-and-footer.tsx',
                    'app/alert-dialog.tsx',
                    ...[
                      'page',
                      'logo',
                      'back-link',
                      'dialog',
                      'countdown',
                      'buttons',
                      'card-tag-and-callout',
                      'pagination',
                      'money',
                      'icons',
                    ].map((name) => `app/ui/${name}.tsx`),
                    'domain/phone.ts',
                  ),
                },
                // The office needs the styles of journeys without their scripts.
                { name: 'journey-styles', test: sourceFiles('app/styles/form-pages.css') },
                {
                  name: 'records',
                  test: sourceFiles(
                    'app/ui/data-tables.tsx',
                    'app/ui/no-break.ts',
                    'modules/gate/rules/generate-gate-code.ts',
                  ),
                },
                // Parts of the journey's pages are apart from the shell, since most other pages do not need them.
                {
                  name: 'journey',
                  test: sourceFiles('app/ui/step-progress-bar.tsx', 'app/ui/price-summary.tsx', 'app/journey-page.tsx'),
                },
                // Parts of the forms that pages with only a list or a record need too.
                {
                  name: 'answers',
                  test: sourceFiles('app/ui/fields/error-summary.tsx', 'app/request/submit-or-report-offline.ts'),
                },
                {
                  name: 'form-rules',
                  test: sourceFiles('app/ui/use-form-checks.ts', 'app/request/use-form-rules.ts'),
                },
                { name: 'forms', test: /\/app\/ui\/fields\/(?!state)[\w-]+\.tsx?$|\/domain\/field-lengths\.ts$/ },
              ],
            },
          },
        },
      },
    },
  },
}))
