import { defineConfig } from '@playwright/test'

/** Parts of Chromium that the journeys do without. */
const unwanted = [
  // The menu under the address bar: pages of their own in each window, made for every journey.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // What Playwright itself turns off: a second list takes the place of its own.
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

/** Every worker runs a whole site of its own (fixtures.ts): own data, own card sandbox, own ports. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  workers: 2,
  // A page checked by axe light and dark takes long on a busy machine.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '../test-results/playwright.json' }],
  ],
  outputDir: '../test-results/artifacts',
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 12_000,
    navigationTimeout: 20_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        // Root may not use the sandbox; the rest keeps Chromium from looking for servers of its own.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${unwanted.join(',')}`,
      ],
    },
    // A trace takes as much of the machine as the journey itself. A failure leaves its picture, what the page held and what was
    // asked of it; for more, run its file again with `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
