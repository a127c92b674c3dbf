import { redirect } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { fieldsToStore, restoreFields, storeUnsentForm, submitOrStore } from './unsent-form-storage.ts'

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
  const stored = fieldsToStore(profile())
  expect(stored.map(({ name }) => name)).toEqual(['first', 'state', 'note', 'star', 'star'])
  expect(JSON.stringify(stored)).not.toMatch(/secret|policy|10001/)
})

it('restores changed fields box by box and leaves fields that were not kept', () => {
  const stored = [
    ...fieldsToStore(profile()),
    { name: 'password', value: 'planted', checked: false },
    { name: 'lease', value: '10002', checked: false },
  ]
  const fresh = profile().map((field) => ({
    ...field,
    checked: false,
    value: field.type === 'text' ? 'Ann' : field.value,
  }))
  const restored: string[] = []
  const restore = (fields: typeof fresh) =>
    restoreFields(fields, stored, (field, storedField) => {
      Object.assign(field, { value: storedField.value, checked: storedField.checked })
      restored.push(`${field.name} ${storedField.value}`)
    })
  expect(restore(fresh)).toBe(true)
  expect(restored).toEqual(['first Ada', 'star 2'])
  expect(restore(fresh)).toBe(false)
})

afterEach(() => vi.unstubAllGlobals())

function stubTab(form: ReturnType<typeof profile> | null) {
  const stored = new Map<string, string>()
  vi.stubGlobal('document', {
    querySelector: () => form && { elements: form, dataset: { unsent: '/update-profile GA1:1001' } },
  })
  vi.stubGlobal('sessionStorage', { setItem: (key: string, value: string) => stored.set(key, value) })
  return stored
}

it('keeps a form only when its response leads to sign-in, or home without a session', async () => {
  for (const [to, isStored] of [
    ['/login?next=%2Fupdate-profile', true],
    ['/', true],
    ['/account-profile', false],
    ['/my-units', false],
    ['/complete-lease', false],
  ] as const) {
    const stored = stubTab(profile())
    await expect(submitOrStore({ serverAction: () => Promise.reject(redirect(to)) })).rejects.toBeInstanceOf(Response)
    expect([to, stored.size === 1]).toEqual([to, isStored])
  }
  const stored = stubTab(profile())
  expect(await submitOrStore({ serverAction: async () => 'saved' })).toBe('saved')
  expect(stored.size).toBe(0)
})

it('does nothing without such a form or without browser storage', () => {
  stubTab(null)
  expect(storeUnsentForm()).toBe(false)
  stubTab(profile())
  vi.stubGlobal('sessionStorage', {
    setItem() {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    },
  })
  expect(storeUnsentForm()).toBe(false)
})
