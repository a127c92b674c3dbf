import { existsSync } from 'node:fs'

/** Path of Chromium's headless shell, a browser without windows, as Debian installs it. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of the browser for the journeys: that in the environment variable CHROMIUM, the headless shell,
 * another Chromium or Google Chrome, whichever file exists first; undefined if none does.
 */
export const findChromium = () =>
  [
    process.env.CHROMIUM,
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
