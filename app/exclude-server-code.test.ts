import { expect, test } from 'vitest'
import { serverModulesOf } from './exclude-server-code.ts'

test('keeps server code out of browser scripts, wherever the project lies, unless it compiles to nothing', () => {
  const root = '/app/server/latchkey'
  const left = { renderedLength: 12 }
  const found = serverModulesOf(root, {
    [`${root}/app/pay/receipt.tsx`]: left,
    [`${root}/app/portal/portal-page.tsx`]: left,
    [`${root}/domain/money.ts`]: left,
    [`${root}/node_modules/react/server/index.js`]: left,
    [`${root}/api/catalogue.ts`]: left,
    [`${root}/platform/encryption/sealer.ts`]: { renderedLength: 0 },
    [`${root}/modules/agreements/lease-view.ts`]: left,
    [`${root}/modules/move-outs/rules/move-out-fees.ts`]: left,
    [`${root}/modules/payments/settle-payment.ts`]: left,
    'node:crypto': left,
    '__vite-browser-external': left,
  })
  expect(found).toEqual([
    'api/catalogue.ts',
    'modules/payments/settle-payment.ts',
    'node:crypto',
    '__vite-browser-external',
  ])
})
