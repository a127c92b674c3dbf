import { Form, useLocation } from 'react-router'

/** Which facilities the pages show. It stands in the address, so that back, sharing and printing keep it. */
export function FacilityPicker({
  chosen,
  options,
  finding,
}: {
  chosen: string[]
  options: { code: string; name: string }[]
  /** What the page looks for; kept. */
  finding: string
}) {
  const { pathname } = useLocation()
  if (options.length < 2) return <span className="office-picker">{options[0]?.name}</span>
  const [first] = chosen
  return (
    <Form action={pathname} className="office-picker" onChange={(event) => event.currentTarget.requestSubmit()}>
      <select name="at" aria-label="Facilities" defaultValue={chosen.length === 1 ? first : ''} key={chosen.join()}>
        <option value="">
          {chosen.length > 1 ? `${chosen.length} facilities` : `All ${options.length} facilities`}
        </option>
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {code} · {name}
          </option>
        ))}
      </select>
      {finding !== '' && <input type="hidden" name="q" value={finding} />}
      <noscript>
        <button type="submit" className="btn btn-quiet btn-short">
          Show
        </button>
      </noscript>
    </Form>
  )
}
