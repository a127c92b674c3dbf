import { defineConfig } from '@playwright/test'
import { findChromium } from './chromium.mjs'

/** Chromium features that the journeys do not need. */
const disabledFeatures = [
  // The menu below the address bar opens its own pages in each window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Playwright's own list, without its entries for Windows and Edge. Chromium uses only the last --disable-features.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Playwright configuration. Every worker runs its own site (fixtures.ts): data, card sandbox and ports. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  // On a machine with two cores, a third worker runs while another waits for a page, a timer or a payment.
  workers: 3,
  // A page checked by axe in light and dark mode takes long on a busy machine.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '../test-results/playwright.json' }],
  ],
  outputDir: '../test-results/artifacts',
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 30_000,
    navigationTimeout: 45_000,
    launchOptions: {
      executablePath: findChromium(),
      args: [
        // Chromium's sandbox does not work for root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // The headless shell would round the width of letters, and break lines where a window does not.
        '--font-render-hinting=none',
        '--disable-quic',
        // A page is left before the optimizing compilers of JavaScript pay off.
        '--js-flags=--no-maglev --no-turbofan',
        // The next four options keep Chromium from its first-run pages and from contacting Google's servers.
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
    // A trace costs much time. A failure leaves a screenshot and the page's content; for more, run the journey's file
    // again with `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
