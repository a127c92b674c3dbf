import { expect, test } from 'vitest'
import { serverModulesOf } from './server-code-vite-plugins.ts'

test('keeps server code out of browser scripts, wherever the project lies, unless it compiles to nothing', () => {
  const root = '/app/server/latchkey'
  const module = { renderedLength: 12 }
  const serverModules = serverModulesOf(root, {
    [`${root}/app/pay/receipt.tsx`]: module,
    [`${root}/app/portal/portal-frame.tsx`]: module,
    [`${root}/domain/money.ts`]: module,
    [`${root}/node_modules/react/server/index.js`]: module,
    [`${root}/api/catalogue.ts`]: module,
    [`${root}/platform/encryption/sealer.ts`]: { renderedLength: 0 },
    [`${root}/modules/agreements/texts/lease-text.ts`]: module,
    [`${root}/modules/agreements/internal/pdf/fonts.ts`]: module,
    [`${root}/modules/move-outs/rules/stated-move-out-fees-and-terms.ts`]: module,
    [`${root}/modules/payments/settle-payment.ts`]: module,
    'node:crypto': module,
    '__vite-browser-external': module,
  })
  expect(serverModules).toEqual([
    'api/catalogue.ts',
    'modules/agreements/internal/pdf/fonts.ts',
    'modules/payments/settle-payment.ts',
    'node:crypto',
    '__vite-browser-external',
  ])
})
