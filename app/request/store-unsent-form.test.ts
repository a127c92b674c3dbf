import { redirect } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { fieldsToStore, restoreFields, storeUnsentForm, submitOrStore } from './store-unsent-form.ts'

const field = (name: string, type: string, value = '', checked = false) => ({ name, type, value, checked })
const profile = () => [
  field('first', 'text', 'Ada'),
  field('state', 'select-one', 'GA'),
  field('note', 'textarea', 'Ring twice.'),
  field('star', 'radio', '1'),
  field('star', 'radio', '2', true),
  field('password', 'password', 'secret-1'),
  field('proof', 'file', 'C:\\fakepath\\policy.pdf'),
  field('lease', 'hidden', '10001'),
  field('', 'submit', 'Save'),
]

it('keeps typed and selected values but no password, file or hidden field', () => {
  const kept = fieldsToStore(profile())
  expect(kept.map(({ name }) => name)).toEqual(['first', 'state', 'note', 'star', 'star'])
  expect(JSON.stringify(kept)).not.toMatch(/secret|policy|10001/)
})

it('restores changed fields box by box and leaves fields that were not kept', () => {
  const kept = [
    ...fieldsToStore(profile()),
    { name: 'password', value: 'planted', checked: false },
    { name: 'lease', value: '10002', checked: false },
  ]
  const fresh = profile().map((field) => ({
    ...field,
    checked: false,
    value: field.type === 'text' ? 'Ann' : field.value,
  }))
  const seen: string[] = []
  const put = (fields: typeof fresh) =>
    restoreFields(fields, kept, (field, to) => {
      Object.assign(field, { value: to.value, checked: to.checked })
      seen.push(`${field.name} ${to.value}`)
    })
  expect(put(fresh)).toBe(true)
  expect(seen).toEqual(['first Ada', 'star 2'])
  expect(put(fresh)).toBe(false)
})

afterEach(() => vi.unstubAllGlobals())

function tab(form: ReturnType<typeof profile> | null) {
  const kept = new Map<string, string>()
  vi.stubGlobal('document', {
    querySelector: () => form && { elements: form, dataset: { unsent: '/update-profile GA1:1001' } },
  })
  vi.stubGlobal('sessionStorage', { setItem: (key: string, value: string) => kept.set(key, value) })
  return kept
}

it('keeps a form only when its response leads to sign-in, or home without a session', async () => {
  for (const [to, keeps] of [
    ['/login?next=%2Fupdate-profile', true],
    ['/', true],
    ['/account-profile', false],
    ['/my-units', false],
    ['/complete-lease', false],
  ] as const) {
    const kept = tab(profile())
    await expect(submitOrStore({ serverAction: () => Promise.reject(redirect(to)) })).rejects.toBeInstanceOf(Response)
    expect([to, kept.size === 1]).toEqual([to, keeps])
  }
  const kept = tab(profile())
  expect(await submitOrStore({ serverAction: async () => 'saved' })).toBe('saved')
  expect(kept.size).toBe(0)
})

it('does nothing without such a form or without browser storage', () => {
  tab(null)
  expect(storeUnsentForm()).toBe(false)
  tab(profile())
  vi.stubGlobal('sessionStorage', {
    setItem() {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    },
  })
  expect(storeUnsentForm()).toBe(false)
})
