import { afterEach, expect, it, vi } from 'vitest'
import { type Upload, uploadWithProgress } from './upload-with-progress.ts'

afterEach(() => vi.unstubAllGlobals())

const field = (name: string, type: string, value: string) => ({ name, type, value, checked: type === 'checkbox' })

function browser(answer: { status: number; text: string } | null) {
  const events: unknown[] = []
  const stored = new Map<string, string>()
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
      status = answer?.status ?? 0
      responseText = answer?.text ?? ''
      onload = () => {}
      onerror = () => {}
      open(...to: string[]) {
        events.push(to.join(' '))
      }
      send() {
        this.upload.onprogress?.({ loaded: 1, total: 3 })
        if (answer) this.onload()
        else this.onerror()
      }
    },
  )
  const elements = [
    field('location_code', 'hidden', 'GA1'),
    field('policy_number', 'text', 'HO-1'),
    field('expiration_date', 'text', '06/30/2027'),
    field('unit_numbers', 'checkbox', '302'),
    field('file', 'file', 'C:\\fakepath\\policy.pdf'),
  ]
  vi.stubGlobal('document', {
    querySelector: () => ({ elements, dataset: { unsent: '/proof-of-insurance GA1:1001' } }),
  })
  vi.stubGlobal('sessionStorage', { setItem: (key: string, value: string) => stored.set(key, value) })
  vi.stubGlobal('location', { reload: () => events.push(`reloaded with ${stored.size} kept`) })
  const upload: Upload = {
    to: '/api/insurance/upload',
    form: new FormData(),
    progress: (percent) => events.push(percent),
    done: () => events.push('done'),
    refused: (fields) => events.push(fields),
  }
  uploadWithProgress(upload)
  return { events, storedForms: [...stored.values()] }
}

it('keeps typed and selected values, never the file, when the sign-in has ended', () => {
  const { events, storedForms } = browser({ status: 401, text: '' })
  expect(events).toEqual(['POST /api/insurance/upload', 0, 33, 'reloaded with 1 kept'])
  expect(JSON.parse(storedForms[0] ?? '')).toEqual({
    of: '/proof-of-insurance GA1:1001',
    fields: [
      { name: 'policy_number', value: 'HO-1', checked: false },
      { name: 'expiration_date', value: '06/30/2027', checked: false },
      { name: 'unit_numbers', value: '302', checked: true },
    ],
  })
})

it('shows an error by its field, a plain message for a proxy’s response, and success', () => {
  const lastEvent = (answer: Parameters<typeof browser>[0]) => {
    const { events, storedForms } = browser(answer)
    expect(storedForms).toEqual([])
    return events.at(-1)
  }
  const fields = { file: 'Choose a file that shows your insurance.' }
  expect(lastEvent({ status: 400, text: JSON.stringify({ error: { message: 'no', fields } }) })).toEqual(fields)
  expect(lastEvent({ status: 503, text: JSON.stringify({ error: { message: 'Try later.' } }) })).toEqual({
    form: 'Try later.',
  })
  expect(lastEvent({ status: 502, text: '<html>' })).toEqual({ form: 'The file could not be sent. Please try again.' })
  expect(lastEvent(null)).toEqual({
    form: 'The connection was lost, and we do not know whether your file arrived. Open this page again and look under “What you have sent” before you send it again.',
  })
  expect(lastEvent({ status: 200, text: '{}' })).toBe('done')
})
