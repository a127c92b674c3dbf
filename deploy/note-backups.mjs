/**
 * Records a backup whenever a folder has a newer backup file, for a backup tool whose container has no Node:
 * `node note-backups.mjs <folder> [seconds between looks, 60]`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [folder, seconds = '60'] = process.argv.slice(2)
const operator = join(import.meta.dirname, '..', 'operator', 'launch.mjs')
const noteFile = join(folder, '.noted')
for (;;) {
  const newest = readdirSync(folder)
    .filter((name) => name.startsWith('latchkey-'))
    .sort()
    .at(-1)
  // After `latchkey-` each name has its backup's time. Once the newest file is deleted, an older one is no new backup.
  if (newest !== undefined && newest > (existsSync(noteFile) ? readFileSync(noteFile, 'utf8') : '')) {
    const { status } = spawnSync(process.execPath, [operator, 'backup', '--taken'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status === 0) writeFileSync(noteFile, newest)
  }
  await pause(Number(seconds) * 1000)
}
