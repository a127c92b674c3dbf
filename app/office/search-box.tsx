import { Form } from 'react-router'
import { Icon } from '../ui/icons.tsx'

/**
 * Search box in the header of every office page.
 * @param finding search text
 * @param at facilities in view, '' for all
 */
export function FindBox({ finding, at }: { finding: string; at: string }) {
  return (
    <Form action="/office/find" role="search" className="office-find">
      <Icon name="search" />
      <input
        key={finding}
        type="search"
        name="q"
        aria-label="Find a tenant, unit or receipt"
        aria-keyshortcuts="/"
        placeholder="Name, phone, unit, gate code, e-mail, receipt"
        defaultValue={finding}
        maxLength={100}
        autoComplete="off"
        required
        minLength={2}
      />
      <span aria-hidden="true" className="office-key">
        /
      </span>
      {at !== '' && <input type="hidden" name="at" value={at} />}
      <button type="submit" className="btn btn-quiet btn-short">
        Find
      </button>
    </Form>
  )
}
