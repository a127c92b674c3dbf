/**
 * Proxies in front of the site: HAProxy, nginx or Caddy with the shipped configuration, and TLS by the drill's own CA.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { freePort } from '../actors/free-port.ts'
import { findProgram } from './drill.ts'

const shipped = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'proxy', name), 'utf8')

export interface Authority {
  /** PEM certificate, which this process trusts from now on. */
  certificate: string
  /** Creates a PEM file with key and certificate for these names. */
  pemFor(...names: string[]): string
}

/** Creates a certificate authority that this process trusts. */
export function ownAuthority(folder: string): Authority {
  mkdirSync(folder, { recursive: true })
  const openssl = (...words: string[]) => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${words[0]}: ${stderr}`)
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Drill CA', '-keyout', 'ca.key', '-out', 'ca.crt')
  const certificate = readFileSync(join(folder, 'ca.crt'), 'utf8')
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate])
  return {
    certificate,
    pemFor(...names) {
      const [first = ''] = names
      const of = (kind: string) => join(folder, `${first}.${kind}`)
      const kind = (name: string) => (isIP(name) ? 'IP' : 'DNS')
      writeFileSync(of('ext'), `subjectAltName=${names.map((name) => `${kind(name)}:${name}`).join(',')}\n`)
      openssl('req', ...newKey, '-subj', `/CN=${first}`, '-keyout', of('key'), '-out', of('csr'))
      const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', of('ext')]
      openssl('x509', '-req', '-in', of('csr'), ...by, '-out', of('crt'))
      writeFileSync(of('pem'), readFileSync(of('crt'), 'utf8') + readFileSync(of('key'), 'utf8'))
      return of('pem')
    },
  }
}

/** Options of a proxy. `ports` are those of the servers behind it, `port` is its own, with TLS by the PEM file. */
interface Before {
  folder: string
  port: number
  ports: number[]
  pem: string
}

/**
 * Starts a proxy and waits until it listens.
 * @throws Error with its output when it ends first
 */
async function started(of: Before, program: string, words: string[], env = process.env): Promise<ChildProcess> {
  const file = join(of.folder, `${program}.log`)
  const log = openSync(file, 'a')
  const proxy = spawn(findProgram(program)!, words, { cwd: of.folder, stdio: ['ignore', log, log], env })
  while (!(await listens(of.port))) {
    if (proxy.exitCode !== null) throw new Error(readFileSync(file, 'utf8'))
    await pause(50)
  }
  return proxy
}

export async function startHaproxy(of: Before): Promise<ChildProcess> {
  const servers = of.ports.map((port, index) => `  server web-${index + 1} 127.0.0.1:${port} check`).join('\n')
  const text = shipped('haproxy.cfg')
    // Few enough connections for any machine's limit of open files.
    .replace('maxconn 20000', 'maxconn 400')
    .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
    .replace('bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${of.port} ssl crt ${of.pem}`)
    .replace(/( {2}server web-\d+ \S+ check\n)+/, `${servers}\n`)
  const file = join(of.folder, 'haproxy.cfg')
  writeFileSync(file, text)
  return started(of, 'haproxy', ['-db', '-f', file])
}

/**
 * Starts nginx.
 * @param host name of the site, replacing the example in the file
 */
export async function startNginx(of: Before & { host: string }): Promise<ChildProcess> {
  const servers = of.ports.map((port) => `  server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`).join('\n')
  const text = shipped('nginx.conf')
    .replaceAll('rent.example.com', of.host)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${of.port} ssl`)
    .replaceAll(/\/etc\/nginx\/certs\/\S+\.(crt|key)/g, of.pem)
    .replaceAll('/var/log/nginx', of.folder)
    // The address has another port than 443.
    .replace('Host $host;', `Host $host:${of.port};`)
    .replace(/( {2}server 127\S+ max_fails\S+ \S+\n)+/, `${servers}\n`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${of.folder}/${kind};`).join(' ')
  const file = join(of.folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${of.folder}/nginx.pid; error_log stderr; events {} http { ${temporary} ${text} }`,
  )
  return started(of, 'nginx', ['-c', file, '-p', of.folder])
}

/**
 * Returns why the installed Caddy is too old for the shipped file, which names its minimum version; null when it is
 * not.
 */
export function caddyTooOld(): string | null {
  const [, least = ''] = /Caddy (\d+\.\d+) or later/.exec(shipped('Caddyfile')) ?? []
  const said = spawnSync(findProgram('caddy') ?? 'caddy', ['version'], { encoding: 'utf8' }).stdout ?? ''
  const [, here = ''] = /^v?(\d+\.\d+)/.exec(said) ?? []
  const order = here.localeCompare(least, 'en', { numeric: true })
  return here === '' || order >= 0 ? null : `Caddy is ${here}, and deploy/proxy/Caddyfile needs ${least}`
}

export async function startCaddy(of: Before & { host: string }): Promise<ChildProcess> {
  // The certificate comes from the drill's CA instead of an authority outside.
  const options = `{\n\tadmin off\n\thttp_port ${await freePort()}\n\tlocal_certs\n`
  const text = shipped('Caddyfile').replace(/^\{\n/m, options).replace('} {\n', `} {\n\ttls ${of.pem} ${of.pem}\n`)
  const file = join(of.folder, 'Caddyfile')
  writeFileSync(file, text)
  return started(of, 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    PATH: process.env.PATH,
    HOME: of.folder,
    XDG_DATA_HOME: of.folder,
    XDG_CONFIG_HOME: of.folder,
    SITE: `https://${of.host}:${of.port}`,
    SERVERS: of.ports.map((port) => `127.0.0.1:${port}`).join(' '),
  })
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts a TLS server that forwards to a port without TLS. */
export async function startTls(of: { pem: string; port: number; to: number }): Promise<tls.Server> {
  const pem = readFileSync(of.pem)
  const server = tls.createServer({ key: pem, cert: pem }, (near) => {
    const far = connect(of.to, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).once('close', () => void other.destroy())
  })
  await new Promise<void>((listening) => server.listen(of.port, '127.0.0.1', listening))
  return server
}
