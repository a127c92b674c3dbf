import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // One server bundle holds the API and the pages, so no module exists twice (docs/decisions).
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    // What every page of a journey needs comes in two files instead of twenty: they compress better together.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                {
                  name: 'journey',
                  test: /\/app\/(ui\/(page|logo|dialog|buttons|fields|form-checks|journey|prices|surfaces|money|icons)|journey-page|shell|error-page|field-rules)\.tsx?$|\/domain\/(messages|phone|field-lengths)\.ts$/,
                },
              ],
            },
          },
        },
      },
    },
  },
})
