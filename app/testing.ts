import type { KyselyPlugin } from 'kysely'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, matchRoutes, type RouteObject, RouterContextProvider, RouterProvider } from 'react-router'
import { AUTH_COOKIE_SECONDS } from '../modules/accounts/rules/tenant-sign-in-lifetime-and-retention.ts'
import { signIn } from '../modules/accounts/sessions.ts'
import { loadBrand } from '../modules/facilities/operator-settings-and-brand.ts'
import { isSitePage } from '../modules/facilities/rules/operator-text-pages.ts'
import { loadFooterPages } from '../modules/facilities/views/load-operator-text-pages.ts'
import { findStaffByToken } from '../modules/staff/sign-ins.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import type { Services } from '../platform/operations/services.ts'
import { loadSessionCallers } from '../server/web/authenticate-callers.ts'
import { isOfficePath } from '../server/web/office-and-api-paths.ts'
import { doneSentence } from './office/done-sentences.ts'
import {
  cacheSessionCallers,
  type RequestContext,
  requestContext,
  type Session,
  type SessionIds,
} from './request/context.ts'
import routes from './routes.ts'

export { addRecord as add, change, recordOf as row, recordsOf as rows } from '../tests/support/rows.ts'

export interface Answer {
  status: number
  to: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of the page it asked for
  data: any
  /** Response without loader data, such as a redirect or file. */
  response: Response | null
}

export interface Page extends Answer {
  html(actionData?: unknown): string
}

export interface TestRequest {
  path: string
  params?: Record<string, string>
  pattern?: string
  form?: Record<string, string> | FormData
  headers?: Record<string, string> | undefined
}

export function renderTestPage(page: PageModule, loaderData: unknown, path = '/', actionData?: unknown): string {
  const element = createElement(page.default as ComponentType<object>, { loaderData, actionData } as object)
  // The office layout's data is the sentence about the last operation, which the address names.
  const layout = { done: doneSentence(new URL(path, 'https://rent.example').searchParams) }
  const route = { id: 'office/layout', path: '*', element, loader: () => layout }
  const hydrationData = { loaderData: { 'office/layout': layout } }
  const router = createMemoryRouter([route], { initialEntries: [path], hydrationData })
  return checkIds(renderToStaticMarkup(createElement(RouterProvider, { router })))
}

/**
 * Returns the page as it is.
 * @throws Error when two elements have one id, so that a label would lead to the wrong one, or when a link of the error
 *   summary leads to no element
 */
function checkIds(html: string): string {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw new Error(`Two elements have the id ${repeated}`)
  const [summary = ''] = /<div class="problem".*?<\/ul>/s.exec(html) ?? []
  const missing = [...summary.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id).find((id) => !ids.includes(id))
  if (missing !== undefined) throw new Error(`An error's link leads to #${missing}, which no element has as its id`)
  return html
}

export const createSignInToken = (
  services: Services,
  account: string,
  from = { agent: 'test browser', address: '198.51.100.1' },
) => signIn(services.db.write, services, account, from)

/** Returns the services with a counter of read statements. */
export function withReadCounter<S extends Services>(services: S): { counted: S; readStatements: () => number } {
  let statements = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  }
  const db = Object.create(services.db, { read: { value: services.db.read.withPlugin(counter) } })
  return { counted: Object.assign(Object.create(services), { db }), readStatements: () => statements }
}

interface PageModule {
  loader?: unknown
  action?: unknown
  default?: unknown
}

async function pageAt(path: string) {
  const pathname = path.replace(/[?#].*/, '').replace(/\.data$/, '')
  const match = matchRoutes(routes as RouteObject[], pathname)?.at(-1)
  if (!match) throw new Error(`No route for ${path}`)
  const { file, path: pattern = '' } = match.route as unknown as { file: string; path?: string }
  const page: PageModule = await import(new URL(file, import.meta.url).href)
  return { page, params: match.params as Record<string, string>, pattern: `/${pattern}` }
}

/** Simulated browser that calls the loaders and actions of pages directly, without a server, and keeps its session. */
export class Browser {
  readonly services: Services
  ids: SessionIds = {}
  alert = ''
  inMaintenance = false
  /** The office's sentence about paused billing or mail. */
  caution: string | null = null
  office: { token: string | null; device: string } = { token: null, device: 'd'.repeat(64) }
  readonly #base: Callers

  /**
   * Opens a browser.
   * @param base callers without the session: address, agent and, optionally, a signed-in tenant
   */
  constructor(
    services: Services,
    ids: SessionIds = {},
    base: Callers = { address: '198.51.100.7', agent: 'test browser' },
  ) {
    this.services = services
    this.ids = ids
    this.#base = base
  }

  #site(path: string): RequestContext {
    const { services } = this
    const browser = this
    const session: Session = {
      get ids() {
        return browser.ids
      },
      get endsAt() {
        return services.clock.now() + AUTH_COOKIE_SECONDS * 1000
      },
      set(change) {
        browser.ids = Object.fromEntries(
          Object.entries({ ...browser.ids, ...change }).filter(([, value]) => value !== undefined),
        )
      },
      clear() {
        browser.ids = browser.ids.known ? { known: browser.ids.known } : {}
      },
    }
    const { office } = browser
    const staffCallers = async () => {
      const staff = office.token === null ? undefined : await findStaffByToken(services, office.token)
      return staff ? { ...browser.#base, staff } : browser.#base
    }
    const callerCache = cacheSessionCallers(session, office, async () =>
      isOfficePath(path)
        ? staffCallers()
        : { ...browser.#base, ...(await loadSessionCallers(services, browser.ids, browser.#base)) },
    )
    const site: RequestContext = {
      services,
      session,
      office: {
        get token() {
          return office.token
        },
        device: office.device,
        set(token) {
          office.token = token
        },
      },
      demo: false,
      mailbox: false,
      nonce: 'n0nce',
      banner: '',
      pages: [],
      inMaintenance: browser.inMaintenance,
      caution: browser.caution,
      maintenance: false,
      alert: '',
      nearby: [],
      refused: 0,
      requestId: 'a-request',
      brand: { name: 'Latchkey' } as RequestContext['brand'],
      theme: { sheet: '', logo: '', icon: '', share: '' },
      callers: callerCache.callers,
      async call(operation, input, key) {
        const outcome = await perform(services, operation, input, await site.callers(), key)
        if (outcome.ok && outcome.grants) {
          session.set(outcome.grants)
          callerCache.forget()
        }
        return outcome
      },
      reportFailure(error) {
        throw error
      },
      recordInlineSheet() {},
      alertNext(code) {
        browser.alert = code
      },
    }
    return site
  }

  async get(path: string, headers?: Record<string, string>): Promise<Page> {
    const { page, ...match } = await pageAt(path)
    const answer = await this.ask(page.loader, { path, headers, ...match })
    return {
      ...answer,
      html: (actionData) => renderTestPage(page, answer.data, path, actionData),
    }
  }

  async post(path: string, form: Record<string, string> | FormData = {}): Promise<Answer> {
    const { page, ...match } = await pageAt(path)
    if (!page.action) throw new Error(`${path} takes no form`)
    return this.ask(page.action, { path, form, ...match })
  }

  /** Submits a form as a browser without scripts does: one request runs the action and renders the page again. */
  async postWithoutScripts(path: string, form: Record<string, string>): Promise<Page> {
    const { page, ...match } = await pageAt(path)
    const context = await this.#context(path)
    const actionAnswer = await this.ask(page.action, { path, form, ...match }, context)
    const answer = actionAnswer.response ? actionAnswer : await this.ask(page.loader, { path, ...match }, context)
    return { ...answer, html: () => renderTestPage(page, answer.data, path, actionAnswer.data) }
  }

  async #context(path: string): Promise<RouterContextProvider> {
    const site = {
      ...this.#site(path),
      brand: await loadBrand(this.services),
      pages: isSitePage(path.slice(1)) ? await loadFooterPages(this.services) : [],
    }
    const context = new RouterContextProvider()
    context.set(requestContext, site)
    return context
  }

  /**
   * Runs a page's loader or action.
   * @param within context of the request, so that an action and a loader can share it; a new one by default
   */
  async ask(
    page: unknown,
    { path, params = {}, pattern, form, headers = {} }: TestRequest,
    within?: RouterContextProvider,
  ): Promise<Answer> {
    const context = within ?? (await this.#context(path))
    const request = new Request(`https://rent.example${path}`, {
      headers,
      ...(form && { method: 'POST', body: form instanceof FormData ? form : new URLSearchParams(form) }),
    })
    let answer: unknown
    try {
      answer = await (page as (args: object) => unknown)({
        request,
        context,
        params,
        pattern: pattern ?? path.replace(/\?.*/, ''),
      })
    } catch (thrown) {
      if (!(thrown instanceof Response)) throw thrown
      answer = thrown
    }
    if (answer instanceof Response) {
      return { status: answer.status, to: answer.headers.get('Location') ?? '', data: null, response: answer }
    }
    const response = answer as { type?: string; data: unknown; init: { status?: number } | null }
    return response?.type === 'DataWithResponseInit'
      ? { status: response.init?.status ?? 200, to: '', data: response.data, response: null }
      : { status: 200, to: '', data: answer, response: null }
  }
}
