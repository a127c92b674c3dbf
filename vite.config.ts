import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // One server bundle holds the API and the pages, so no module exists twice (docs/decisions).
  environments: { ssr: { build: { rollupOptions: { input: './server/app.ts' } } } },
})
