import { type AnyOperation, operations, resources } from '../../api/catalogue.ts'
import { accessOf, formatAccess } from '../../api/openapi/access-table.ts'
import { requestXml } from '../../api/openapi/document.ts'
import { fieldsOf } from '../../api/openapi/json-schema.ts'
import { machineRolesFor } from '../../domain/machine-key-operations.ts'
import { headOf } from '../find-storage/meta-tags.ts'
import { contextOf } from '../request/context.ts'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/api-documentation'

/**
 * Maximum length of an example's answer on the API's page, in characters. The OpenAPI document contains the complete
 * examples.
 */
const MAX_EXAMPLE_LENGTH = 1500

function formatOperation(declaration: AnyOperation) {
  const { input, output } = declaration.example
  const answer = output instanceof Uint8Array ? '(a PDF file)' : JSON.stringify(output, null, 2)
  const isOperation = operations.has(declaration.name)
  return {
    name: declaration.name,
    summary: declaration.summary,
    call: isOperation ? `POST /api/ssm/${declaration.name}` : declaration.name,
    access: formatAccess(accessOf(declaration), machineRolesFor(declaration.name)),
    writes: declaration.writes,
    limit: declaration.limit
      ? `At most ${declaration.limit.points} calls in ${declaration.limit.perSeconds} seconds from one address.`
      : '',
    fields: fieldsOf(declaration.input).map(({ name, required, rules }) => ({
      name,
      required,
      rules: rules.join('; '),
    })),
    input: JSON.stringify(input, null, 2),
    xml: isOperation ? requestXml(declaration).replaceAll('><', '>\n<') : '',
    wrapper: declaration.wrapper ?? '',
    answer: answer.length > MAX_EXAMPLE_LENGTH ? `${answer.slice(0, MAX_EXAMPLE_LENGTH)}\n…` : answer,
  }
}

type ApiEntry = ReturnType<typeof formatOperation>

/** Formatted operations and resources, computed once: the catalog does not change while the server runs. */
let formatted: { operations: ApiEntry[]; resources: ApiEntry[] } | undefined

export function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  formatted ??= {
    operations: [...operations.values()].map(formatOperation),
    resources: [...resources.values()].map(formatOperation),
  }
  return {
    ...formatted,
    head: headOf(site, {
      path: '/api',
      title: 'The API',
      description:
        'Every operation of the storage system and every resource of the site: who may call it, its fields, an example.',
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

const anchor = (name: string) => name.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase()

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="my-4">
      <figcaption className="font-semibold">{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <pre className="mt-1 overflow-x-auto rounded-card bg-wash p-4 text-small" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

function Entry({ entry }: { entry: ApiEntry }) {
  return (
    <li id={anchor(entry.name)} className="border-b border-line">
      <details>
        <summary className="cursor-pointer py-3">
          <code className="font-semibold wrap-anywhere">{entry.name}</code>
          <br />
          <span className="soft">{withNoBreakSpaces(entry.summary)}</span>
        </summary>
        <p className="mt-2">
          <strong>{entry.call}</strong>
          {entry.wrapper && (
            <>
              {' '}
              answers under <code>{entry.wrapper}</code>
            </>
          )}
        </p>
        <p className="mt-2">
          Who may call: {entry.access} {entry.limit} {entry.writes && 'Takes an idempotency key.'}
        </p>
        {entry.fields.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
          <section className="mt-3 overflow-x-auto" tabIndex={0} aria-label={`Fields of ${entry.name}`}>
            <table className="w-full text-left text-small">
              <thead>
                <tr>
                  <th scope="col" className="py-1 pr-4">
                    Field
                  </th>
                  <th scope="col" className="py-1 pr-4">
                    Needed
                  </th>
                  <th scope="col" className="py-1">
                    Rules
                  </th>
                </tr>
              </thead>
              <tbody>
                {entry.fields.map((field) => (
                  <tr key={field.name} className="border-t border-line align-top">
                    <th scope="row" className="py-1 pr-4 font-normal">
                      <code>{field.name}</code>
                    </th>
                    <td className="py-1 pr-4">{field.required ? 'yes' : 'no'}</td>
                    <td className="py-1">{field.rules}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        <Example title="JSON" text={entry.input} />
        {entry.xml && <Example title="XML, at POST /api/ssm" text={entry.xml} />}
        <Example title="Answer" text={entry.answer} />
      </details>
    </li>
  )
}

export default function ApiDocumentation({ loaderData }: Route.ComponentProps) {
  const { operations, resources } = loaderData
  return (
    <PageFrame>
      <h1>The API</h1>
      <p className="mt-3 max-w-text">
        Every operation of the storage system has two endpoints: <code>POST /api/ssm/&#123;operation&#125;</code> with
        JSON, and <code>POST /api/ssm</code> with the service’s name and its fields in XML or JSON. The whole
        description for machines is <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
      </p>
      <ul className="mt-3 max-w-text list-disc pl-6">
        <li>Amounts are US dollars with 2 decimals; dates are mm/dd/yyyy.</li>
        <li>A log-in answers a token; it goes into the header Authorization as a bearer token.</li>
        <li>
          A write takes the header <code>Idempotency-Key</code>: the same call with the same key is done once, and its
          answer is kept for 24 hours.
        </li>
        <li>
          A refusal by a rule of the business is a 200 with the specified field. 400 names the fields that are wrong,
          401 and 403 say the same whether or not the record exists, 429 and 503 say when to try again.
        </li>
      </ul>
      <h2 className="mt-10">Operations of the storage system</h2>
      <ul className="mt-3 border-t border-line">
        {operations.map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </ul>
      <h2 className="mt-10">Resources of the site</h2>
      <ul className="mt-3 border-t border-line">
        {resources.map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </ul>
    </PageFrame>
  )
}
