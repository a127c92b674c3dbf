/** Records each new file of a folder as a backup, if the backup tool's container has no Node: `node note-backups.mjs <folder> [seconds]`. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [folder, seconds = '60'] = process.argv.slice(2)
const operator = join(import.meta.dirname, '..', 'operator', 'launch.mjs')
const noted = join(folder, '.noted')
for (;;) {
  const newest = readdirSync(folder)
    .filter((name) => name.startsWith('latchkey-'))
    .sort()
    .at(-1)
  if (newest !== undefined && newest !== (existsSync(noted) ? readFileSync(noted, 'utf8') : '')) {
    const { status } = spawnSync(process.execPath, [operator, 'backup', '--taken'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status === 0) writeFileSync(noted, newest)
  }
  await pause(Number(seconds) * 1000)
}
