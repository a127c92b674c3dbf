import { existsSync } from 'node:fs'

/** Path of Chromium without windows, as Debian installs it. In the whole browser a page takes twice the time. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of the browser for the journeys: that in the environment variable CHROMIUM, the headless shell, or
 * another Chromium; undefined if none is installed.
 */
export const findChromium = () =>
  [
    process.env.CHROMIUM,
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
