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
import { hasEnded } from '../actors/run-site-process.ts'
import { findProgram } from './drill-definition.ts'

const shipped = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'proxy', name), 'utf8')

export interface Authority {
  /** PEM certificate, which this process trusts from now on. */
  certificate: string
  /** Creates a PEM file with key and certificate for these names, and returns its path. */
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
      const fileOf = (extension: string) => join(folder, `${first}.${extension}`)
      const kind = (name: string) => (isIP(name) ? 'IP' : 'DNS')
      writeFileSync(fileOf('ext'), `subjectAltName=${names.map((name) => `${kind(name)}:${name}`).join(',')}\n`)
      openssl('req', ...newKey, '-subj', `/CN=${first}`, '-keyout', fileOf('key'), '-out', fileOf('csr'))
      const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', fileOf('ext')]
      openssl('x509', '-req', '-in', fileOf('csr'), ...signing, '-out', fileOf('crt'))
      writeFileSync(fileOf('pem'), readFileSync(fileOf('crt'), 'utf8') + readFileSync(fileOf('key'), 'utf8'))
      return fileOf('pem')
    },
  }
}

interface ProxyOptions {
  /** Folder of the proxy's configuration and log. */
  folder: string
  /** Port on which the proxy listens with TLS. */
  port: number
  /** Ports of the servers behind the proxy. */
  ports: number[]
  /** Path of a PEM file with key and certificate. */
  pem: string
}

/**
 * Starts a proxy and waits until it listens.
 * @throws Error with its output when it ends first
 */
async function startProxy(
  options: ProxyOptions,
  program: string,
  words: string[],
  env = process.env,
): Promise<ChildProcess> {
  const file = join(options.folder, `${program}.log`)
  const log = openSync(file, 'a')
  const proxy = spawn(findProgram(program)!, words, { cwd: options.folder, stdio: ['ignore', log, log], env })
  while (!(await isListening(options.port))) {
    if (hasEnded(proxy))
      throw new Error(`${program} ended (${proxy.signalCode ?? proxy.exitCode}): ${readFileSync(file, 'utf8')}`)
    await pause(50)
  }
  return proxy
}

export async function startHaproxy(options: ProxyOptions): Promise<ChildProcess> {
  const servers = options.ports.map((port, index) => `  server web-${index + 1} 127.0.0.1:${port} check`).join('\n')
  const text = shipped('haproxy.cfg')
    // Few enough connections for any machine's limit of open files.
    .replace('maxconn 20000', 'maxconn 400')
    .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
    .replace('bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${options.port} ssl crt ${options.pem}`)
    .replace(/( {2}server web-\d+ \S+ check\n)+/, `${servers}\n`)
  const file = join(options.folder, 'haproxy.cfg')
  writeFileSync(file, text)
  return startProxy(options, 'haproxy', ['-db', '-f', file])
}

/**
 * Starts nginx.
 * @param host name of the site, replacing the example in the file
 */
export async function startNginx(options: ProxyOptions & { host: string }): Promise<ChildProcess> {
  const servers = options.ports.map((port) => `  server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`).join('\n')
  const text = shipped('nginx.conf')
    .replaceAll('rent.example.com', options.host)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${options.port} ssl`)
    .replaceAll(/\/etc\/nginx\/certs\/\S+\.(crt|key)/g, options.pem)
    .replaceAll('/var/log/nginx', options.folder)
    // The site's public URL has another port than 443.
    .replace('Host $host;', `Host $host:${options.port};`)
    .replace(/( {2}server 127\S+ max_fails\S+ \S+\n)+/, `${servers}\n`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${options.folder}/${kind};`).join(' ')
  const file = join(options.folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${options.folder}/nginx.pid; error_log stderr; events {} http { ${temporary} ${text} }`,
  )
  return startProxy(options, 'nginx', ['-c', file, '-p', options.folder])
}

/**
 * Returns why the installed Caddy is too old for the shipped file, which names its minimum version; null when it is new
 * enough or not installed.
 */
export function caddyTooOld(): string | null {
  const [, minimum = ''] = /Caddy (\d+\.\d+) or later/.exec(shipped('Caddyfile')) ?? []
  const version = spawnSync(findProgram('caddy') ?? 'caddy', ['version'], { encoding: 'utf8' }).stdout ?? ''
  const [, installed = ''] = /^v?(\d+\.\d+)/.exec(version) ?? []
  const order = installed.localeCompare(minimum, 'en', { numeric: true })
  return installed === '' || order >= 0 ? null : `Caddy is ${installed}, and deploy/proxy/Caddyfile needs ${minimum}`
}

export async function startCaddy(options: ProxyOptions & { host: string }): Promise<ChildProcess> {
  // `tls` takes the drill's certificate; `local_certs` keeps Caddy from asking a public certificate authority.
  const globalOptions = `{\n\tadmin off\n\thttp_port ${await freePort()}\n\tlocal_certs\n`
  const text = shipped('Caddyfile')
    .replace(/^\{\n/m, globalOptions)
    .replace('} {\n', `} {\n\ttls ${options.pem} ${options.pem}\n`)
  const file = join(options.folder, 'Caddyfile')
  writeFileSync(file, text)
  return startProxy(options, 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    PATH: process.env.PATH,
    HOME: options.folder,
    XDG_DATA_HOME: options.folder,
    XDG_CONFIG_HOME: options.folder,
    SITE: `https://${options.host}:${options.port}`,
    SERVERS: options.ports.map((port) => `127.0.0.1:${port}`).join(' '),
  })
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts a TLS server that forwards to a port without TLS. */
export async function startTls(options: { pem: string; port: number; to: number }): Promise<tls.Server> {
  const pem = readFileSync(options.pem)
  const server = tls.createServer({ key: pem, cert: pem }, (near) => {
    const far = connect(options.to, '127.0.0.1')
    near.pipe(far).pipe(near)
    // After an error a socket closes; the handler of `close` then destroys the socket at the other end.
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket.on('error', () => {}).once('close', () => void other.destroy())
  })
  await new Promise<void>((listening) => server.listen(options.port, '127.0.0.1', listening))
  return server
}
