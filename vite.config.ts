import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // One server bundle holds the API and the pages, so no module exists twice (docs/decisions).
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    // What every page of a journey needs comes in a few files instead of twenty: they compress better together.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                {
                  name: 'shell',
                  test: /\/app\/(ui\/(page|logo|dialog|buttons|surfaces|money|icons)|shell|error-page)\.tsx?$|\/domain\/(messages|phone)\.ts$/,
                },
                // Apart from the shell, whose pages need no style of a form.
                {
                  name: 'journey',
                  test: /\/app\/(ui\/(journey|prices|records)|journey-page)\.tsx?$/,
                },
                {
                  name: 'forms',
                  test: /\/app\/(ui\/(fields|form-checks)|field-rules)\.tsx?$|\/domain\/field-lengths\.ts$/,
                },
              ],
            },
          },
        },
      },
    },
  },
})
