import type { IncomingMessage } from 'node:http'
import { RETURN_CODES } from './bank.ts'
import { isSameSecret, readBody, readJson } from './request-body.ts'
import { GARBAGE, json, type RouteResponse } from './responses.ts'
import type { SandboxParts } from './route-dependencies.ts'

/** Handles a request to the simulated bank, below `/bank`, with the fault that was set for it, if any. */
export async function handleBankRequest(
  sandbox: SandboxParts,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
): Promise<RouteResponse> {
  if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${sandbox.credentials.authKey}`))
    return json({ error: 'The key is missing or wrong.' }, 401)
  const body = request.method === 'POST' ? await readBody(request) : null
  const orderId = /^\/bank\/debits\/([\w-]+)/.exec(path)?.[1] ?? /"order_id"\s*:\s*"([\w-]+)"/.exec(body ?? '')?.[1]
  return sandbox.faults.apply('bank', orderId ?? '', async () => {
    const response = body === null ? sandbox.bank.read(path, query) : sandbox.bank.write(path, body)
    if (response === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
    if (response !== 'hang') return json(response.body, response.status)
    await sandbox.faults.wait()
    return 'cut'
  })
}

/** Handles a test's request that the bank return an accepted debit at once. */
export async function returnDebit(sandbox: SandboxParts, request: IncomingMessage): Promise<RouteResponse> {
  const refusal = sandbox.faults.checkKey(request)
  if (refusal) return refusal
  const body = await readJson<{ orderId: unknown; code: unknown }>(request)
  if (body === null) return json({ error: 'not JSON' }, 400)
  const { orderId, code = 'R01' } = body
  if (typeof orderId !== 'string' || typeof code !== 'string' || !Object.hasOwn(RETURN_CODES, code))
    return json({ error: 'orderId or code is not understood' }, 400)
  return sandbox.bank.returnDebit(orderId, code)
    ? json({ orderId, code }, 201)
    : json({ error: 'no accepted debit of that order' }, 409)
}
