/** An owner creates a machine key in Setup, replaces its secret and revokes the key, and creates a key without scripts. */
import { expect, test } from './fixtures.ts'
import { expectFocusShown, expectNothingCutOff, inspectAt } from './inspect.ts'
import { signInToOffice } from './office.ts'
import { button } from './renter-actions-and-locators.ts'

const tokenIn = (text: string | null) => /lk_[0-9A-Za-z]{12}_[\w-]{43}/.exec(text ?? '')?.[0] ?? ''

test('an owner creates a machine key, uses it, replaces its secret and revokes it', async ({ page, site }) => {
  const call = (token: string) =>
    fetch(`${site.url}/api/ssm/GetTenantUnitList_V1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ location_code: 'ATL01', tenant_id: 1001 }),
    })
  await signInToOffice(page, 'owner')
  await page.goto('/office/setup')
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeFocused()
  await inspectAt(
    page,
    [1440, 390, 360],
    async () => {},
    () => expectNothingCutOff(page),
  )
  await expectFocusShown(page)

  await page.getByLabel('Name').fill('The bookkeeper')
  await page.getByLabel(/^Gate/).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /^Tenants/ })).toBeChecked()
  await page.getByLabel('Where').selectOption('facility:ATL01')
  await page.getByLabel('Why').fill('Closes the month')
  await page.keyboard.press('Enter')
  const secret = page.getByRole('status').filter({ hasText: 'Copy this key now' })
  await expect(secret).toBeVisible()
  await inspectAt(
    page,
    [1440, 360],
    async () => {},
    () => expectNothingCutOff(page),
  )
  const first = tokenIn(await secret.textContent())
  expect((await call(first)).status).toBe(200)
  await expect(page.getByLabel('Name')).toHaveValue('')

  await page.reload()
  expect(tokenIn(await page.textContent('body'))).toBe('')
  await page.getByRole('link', { name: 'The bookkeeper' }).click()
  await expect(page.getByRole('heading', { name: 'The bookkeeper', level: 1 })).toBeFocused()
  await page.getByLabel('Why').first().fill('Yearly')
  await button(page, 'Make a new secret').click()
  await expect(secret).toBeVisible()
  const second = tokenIn(await secret.textContent())
  for (const token of [first, second]) expect((await call(token)).status).toBe(200)

  await page.getByLabel('Why').fill('Left the firm')
  await button(page, 'Revoke the key').click()
  await expect(page.getByText('Revoked. The key’s next call is refused.')).toBeVisible()
  expect((await call(second)).status).toBe(401)
})

test('an owner creates a machine key without scripts', async ({ plain }) => {
  await signInToOffice(plain, 'owner', { scripts: false })
  await plain.goto('/office/setup/keys')
  await plain.getByLabel('Name').fill('Without scripts')
  await plain.getByLabel('Why').fill('An old browser')
  await button(plain, 'Make the key').click()
  await expect(plain.getByText('Copy this key now')).toBeVisible()
  expect(tokenIn(await plain.textContent('main'))).not.toBe('')
})
