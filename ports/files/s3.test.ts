import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { expect, onTestFinished, test } from 'vitest'
import { serverForTests } from '../testing-server.ts'
import { filesContract } from './files.contract.ts'
import { s3Files } from './s3.ts'

const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }

async function store() {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'kept-files', configs: [] }],
  })
  const { port } = await server.run()
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

filesContract(
  'S3',
  async () => {
    const { url, close } = await store()
    return { files: s3Files({ ...keys, url, bucket: 'kept-files' }), close }
  },
  // The tests' server empties a file before it rewrites it; S3 itself replaces objects atomically.
  { replacesWhole: false },
)

test('fails a write if the store refuses, lacks the bucket, is slow or gone, without revealing the secret', async () => {
  const { url, close } = await store()
  const mute = await serverForTests(() => {}, onTestFinished)
  const secretAccessKey = 'a-secret-for-nobody-else'
  const credentials = { ...keys, secretAccessKey }
  const stores = [
    s3Files({ ...credentials, accessKeyId: 'STRANGER', url, bucket: 'kept-files' }),
    s3Files({ ...credentials, url, bucket: 'no-such-bucket' }),
    s3Files({ ...credentials, url: mute, bucket: 'kept-files', timeoutMs: 50 }),
    s3Files({ ...credentials, url: 'http://127.0.0.1:1', bucket: 'kept-files', timeoutMs: 300 }),
  ]
  for (const files of stores) {
    const failure = await files.put('a', new Uint8Array([1]), 'text/plain').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String((failure as Error).stack)).not.toContain(secretAccessKey)
  }
  await close()
})

test('fails writes and reads, and says why, if the server is no store, stalls or redirects', async () => {
  const kinds: Record<string, (response: ServerResponse) => void> = {
    redirect: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    garbage: (response) => void response.socket?.end('220 mail.example.com ESMTP\r\n'),
    drops: (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('a')
    },
    cut: (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('a', () => response.socket?.destroy())
    },
  }
  const origin = await serverForTests((request, response) => {
    request.resume()
    kinds[request.url?.split('/')[1] ?? '']?.(response)
  }, onTestFinished)
  const { host } = new URL(origin)
  const failureOf = async (url: string) => {
    const files = s3Files({ ...keys, url, bucket: 'kept-files', timeoutMs: 300 })
    const [put, get] = await Promise.all([
      files.put('a', new Uint8Array([1]), 'text/plain').catch((error: unknown) => String(error)),
      files.get('a').catch((error: unknown) => String(error)),
    ])
    expect(put, url).toBe(get)
    return put
  }
  const unreachable = (why: string, of = host) => `Error: The object store cannot be reached: ${of} (${why})`
  expect(await failureOf(`http://${host}/redirect`)).toBe(unreachable('unexpected redirect'))
  expect(await failureOf(`http://${host}/garbage`)).toMatch(
    /127\.0\.0\.1:\d+ \((HTTPParserError|HPE_\w+|ECONNRESET|UND_ERR_SOCKET)\)$/,
  )
  expect(await failureOf(`http://${host}/drops`)).toBe(unreachable('no answer in time'))
  expect(await failureOf(`http://${host}/cut`)).toBe(unreachable('UND_ERR_SOCKET'))
  expect(await failureOf('http://127.0.0.1:1')).toBe(unreachable('bad port', '127.0.0.1:1'))
  expect(await failureOf('http://no-such-store.invalid')).toMatch(/no-such-store\.invalid \((ENOTFOUND|EAI_AGAIN)\)$/)
})

test('supports a store on an IPv6 address, and a bucket with dots in its name', async () => {
  const requests: (string | undefined)[] = []
  const answer: RequestListener = (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`)
    request.resume()
    response.end()
  }
  const url = await serverForTests(answer, onTestFinished, '::1')
  const files = s3Files({ ...keys, url, bucket: 'leases.storage.example' })
  await files.put('leases/ga01/7.pdf', new Uint8Array([1]), 'application/pdf')
  expect(requests).toEqual([`${new URL(url).host} /leases.storage.example/leases/ga01/7.pdf`])
})

// The store above checks access keys but no version 4 signature, so the signature is computed again here.
test('signs every request (AWS signature, version 4)', async () => {
  const checked: { method: string; right: boolean }[] = []
  const url = await serverForTests(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const [, scope = '', signed = '', signature] =
      /Credential=AKID\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(request.headers.authorization ?? '') ??
      []
    const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
    const declaredHash = String(request.headers['x-amz-content-sha256'])
    const canonical = [
      request.method,
      request.url,
      '',
      ...signed.split(';').map((name) => `${name}:${request.headers[name]}`),
      '',
      signed,
      declaredHash,
    ].join('\n')
    const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n')
    const key = scope
      .split('/')
      .reduce<string | Buffer>(
        (derived, step) => createHmac('sha256', derived).update(step).digest(),
        'AWS4very-secret',
      )
    const right = createHmac('sha256', key).update(toSign).digest('hex') === signature
    const wholeBody = declaredHash === 'UNSIGNED-PAYLOAD' || declaredHash === hash(Buffer.concat(chunks))
    checked.push({ method: request.method ?? '', right: right && wholeBody })
    response.writeHead(200, { 'content-type': 'text/plain' }).end()
  }, onTestFinished)
  const files = s3Files({ url, bucket: 'b', region: 'eu-west-1', accessKeyId: 'AKID', secretAccessKey: 'very-secret' })
  await files.put('leases/ga01/7.pdf', new Uint8Array([1, 2, 3]), 'application/pdf')
  await files.get('leases/ga01/7.pdf')
  await files.delete('leases/ga01/7.pdf')
  expect(checked).toEqual(['PUT', 'GET', 'DELETE'].map((method) => ({ method, right: true })))
})
