import type { IncomingMessage } from 'node:http'
import { RETURN_CODES } from './bank.ts'
import { isSameSecret, readBody, readJson } from './request-body.ts'
import { type Answer, GARBAGE, json } from './responses.ts'
import type { SandboxParts } from './sandbox-parts.ts'

export async function handleBankRequest(
  sandbox: SandboxParts,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
): Promise<Answer> {
  if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${sandbox.credentials.authKey}`))
    return json({ error: 'The key is missing or wrong.' }, 401)
  const body = request.method === 'POST' ? await readBody(request) : null
  const orderId = /^\/bank\/debits\/([\w-]+)/.exec(path)?.[1] ?? /"order_id"\s*:\s*"([\w-]+)"/.exec(body ?? '')?.[1]
  return sandbox.faults.apply('bank', orderId ?? '', async () => {
    const answer = body === null ? sandbox.bank.read(path, query) : sandbox.bank.write(path, body)
    if (answer === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
    if (answer !== 'hang') return json(answer.body, answer.status)
    await sandbox.faults.wait()
    return 'cut'
  })
}

export async function returnDebit(sandbox: SandboxParts, request: IncomingMessage): Promise<Answer> {
  const closed = sandbox.faults.keyRefused(request)
  if (closed) return closed
  const body = await readJson<{ orderId: unknown; code: unknown }>(request)
  if (body === null) return json({ error: 'not JSON' }, 400)
  const { orderId, code = 'R01' } = body
  if (typeof orderId !== 'string' || typeof code !== 'string' || !Object.hasOwn(RETURN_CODES, code))
    return json({ error: 'orderId or code is not understood' }, 400)
  return sandbox.bank.returnDebit(orderId, code)
    ? json({ orderId, code }, 201)
    : json({ error: 'no accepted debit of that order' }, 409)
}
