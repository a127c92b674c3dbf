import { expect, it } from 'vitest'
import routes from './routes.ts'

it('has a loader in every public page, since one without loader data counts as failed and loses its style sheet', async () => {
  const layout = routes.find(({ file }) => file === 'find-storage/layout.tsx')
  const files = [...new Set(layout?.children?.map(({ file }) => file))]
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) {
    const page = await import(new URL(file, import.meta.url).href)
    expect(page, file).toHaveProperty('loader')
  }
})
