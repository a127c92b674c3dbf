import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { expect, test } from 'vitest'
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
  // The server of the tests empties a file before it writes it anew; S3 itself replaces objects whole.
  { replacesWhole: false },
)

test('case 24: a store that refuses, has no such bucket, is slow or gone fails the write, without its secret', async () => {
  const { url, close } = await store()
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const mute = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const secretAccessKey = 'a-secret-for-nobody-else'
  const known = { ...keys, secretAccessKey }
  const stores = [
    s3Files({ ...known, accessKeyId: 'STRANGER', url, bucket: 'kept-files' }),
    s3Files({ ...known, url, bucket: 'no-such-bucket' }),
    s3Files({ ...known, url: mute, bucket: 'kept-files', timeoutMs: 50 }),
    s3Files({ ...known, url: 'http://127.0.0.1:1', bucket: 'kept-files', timeoutMs: 300 }),
  ]
  for (const files of stores) {
    const failure = await files.put('a', new Uint8Array([1]), 'text/plain').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String((failure as Error).stack)).not.toContain(secretAccessKey)
  }
  silent.closeAllConnections()
  silent.close()
  await close()
})

// The store above knows access keys but checks no signature of version 4, so it is worked out once more here.
test('every request is signed (AWS signature, version 4)', async () => {
  const checked: { method: string; right: boolean }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const [, scope = '', signed = '', given] =
      /Credential=AKID\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(request.headers.authorization ?? '') ??
      []
    const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
    const told = String(request.headers['x-amz-content-sha256'])
    const canonical = [
      request.method,
      request.url,
      '',
      ...signed.split(';').map((name) => `${name}:${request.headers[name]}`),
      '',
      signed,
      told,
    ].join('\n')
    const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n')
    const key = scope
      .split('/')
      .reduce<string | Buffer>((so, step) => createHmac('sha256', so).update(step).digest(), 'AWS4very-secret')
    const right = createHmac('sha256', key).update(toSign).digest('hex') === given
    const wholeBody = told === 'UNSIGNED-PAYLOAD' || told === hash(Buffer.concat(chunks))
    checked.push({ method: request.method ?? '', right: right && wholeBody })
    response.writeHead(200, { 'content-type': 'text/plain' }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const files = s3Files({ url, bucket: 'b', region: 'eu-west-1', accessKeyId: 'AKID', secretAccessKey: 'very-secret' })
  await files.put('leases/ga01/7.pdf', new Uint8Array([1, 2, 3]), 'application/pdf')
  await files.get('leases/ga01/7.pdf')
  await files.delete('leases/ga01/7.pdf')
  server.closeAllConnections()
  server.close()
  expect(checked).toEqual(['PUT', 'GET', 'DELETE'].map((method) => ({ method, right: true })))
})
