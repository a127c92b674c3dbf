import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble } from '../../deploy/build-release.mjs'
import { root } from '../../server/build.mjs'
import { PRODUCTION } from '../support/production-settings.ts'
import { BARE_USER, canIsolate, createBareRoot, runBare } from './create-and-run-in-bare-root.ts'
import type { Drill } from './drill-definition.ts'

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  StopSignal: string
  Healthcheck: { Test: string[] }
}

/** Returns a function that runs Buildah on its own storage, without daemon or registry, and returns the output. */
function buildahIn(folder: string) {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  return (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync('buildah', [...storage, ...words], { encoding: 'utf8', cwd: folder })
    if (status !== 0) throw new Error(`buildah ${words[0]} has failed: ${stderr}`)
    return stdout.trim()
  }
}

/** Builds and mounts the image on a base with Node alone. Returns its configuration, its folder, and a function that unmounts it. */
function build(folder: string, log: (line: string) => void) {
  const buildah = buildahIn(folder)
  createBareRoot(join(folder, 'base'))
  const base = buildah('from', 'scratch')
  buildah('copy', base, join(folder, 'base'), '/')
  buildah('commit', '--rm', base, 'localhost/node')
  assemble(join(folder, 'release'), '9.8.7')
  const from = ['--build-arg', 'BASE=localhost/node', '--file', join(folder, 'release/deploy/Dockerfile')]
  const options = ['--isolation', 'chroot', '--format', 'docker', '--tag', 'localhost/latchkey']
  buildah('build', ...options, ...from, join(folder, 'release'))
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/latchkey')).Docker as {
    config: ImageConfig
  }
  log(`built: ${config.Entrypoint.join(' ')} as ${config.User}`)
  const container = buildah('from', 'localhost/latchkey')
  return { config, image: buildah('mount', container), unmount: () => buildah('umount', container) }
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')

async function run(_: unknown, log: (line: string) => void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-image-'))
  let unmount = () => ''
  try {
    const built = build(folder, log)
    unmount = built.unmount
    const { config, image } = built
    const violations = config.User === `${BARE_USER}:${BARE_USER}` ? [] : [`the image runs as '${config.User}'`]
    const writable = join(folder, 'writable')
    cpSync(join(root, 'docs/sample-operator'), join(writable, 'business'), { recursive: true })
    mkdirSync(join(image, 'proc'), { recursive: true })
    const imageEnv = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s, 2) as [string, string]))
    const env = { ...imageEnv, ...PRODUCTION, TRUST_PROXY: '1', DRAIN_MS: '0', LOG_LEVEL: 'fatal' }
    const [, ...healthCheck] = config.Healthcheck.Test
    const { stdout, stderr } = runBare(
      { root: image, writable, env },
      `$bare node /opt/latchkey/current/operator/launch.mjs import /var/lib/latchkey/business >/dev/null
      $bare node -e 'fs.writeFileSync("/opt/latchkey/mark", "")' 2>/dev/null && echo 'the root can be written'
      $bare ${quoted(config.Entrypoint)} &
      server=$!
      looked=1
      for look in $(seq 10); do $bare ${quoted(healthCheck)} 2>/dev/null && looked=0 && break; sleep 1; done
      [ $looked = 0 ] || echo 'the health check has failed'
      $bare node -e 'fetch("http://127.0.0.1:3000/readyz").then(async (answer) => console.log(answer.status, await answer.text(), process.getuid()))'
      kill -${config.StopSignal.replace('SIG', '')} $server
      code=0; wait $server || code=$?
      echo "ended with $code"`,
    )
    log(stdout.trim())
    const expected = `200 ready ${BARE_USER}\nended with 0`
    if (stdout.trim() !== expected) violations.push(`it said '${stdout.trim()}', not '${expected}': ${stderr}`)
    return violations
  } finally {
    unmount()
    rmSync(folder, { recursive: true, force: true })
  }
}

export default {
  about:
    'The Dockerfile, on a base of Node and its libraries alone, gives an image that runs as 10001 on a read-only root, is healthy and ready, and ends with 0 on SIGTERM.',
  needs: ['buildah'],
  whyNot: () => (canIsolate() ? null : 'root, unshare and ip are needed to build and run it'),
  run,
} satisfies Drill
