import { existsSync } from 'node:fs'

/** Chromium without windows, which Debian packages by itself. A page costs it half of what the whole browser takes. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

/** Returns the browser of the journeys: the one that CHROMIUM names, the headless shell, or another Chromium. */
export const findChromium = () =>
  [
    process.env.CHROMIUM,
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
