import { Form } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { TimelineItem } from '../../modules/tenant-view/views/timeline.ts'
import { Button } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { MoreRows } from './office-table.tsx'

const kindLabels: Record<TimelineItem['kind'], string> = {
  note: 'Note',
  mail: 'Mail',
  'sign-in': 'Portal',
  act: 'Office',
  money: 'Money',
  gate: 'Gate',
}

/** Classes that set a note off from the entries that the program wrote. */
const noteRow = '-mx-2 rounded-tag bg-[color-mix(in_srgb,var(--color-door)_14%,var(--color-card))] px-2'

/** Timeline of a tenant, newest first. */
export function TenantTimeline({
  items,
  older,
}: {
  items: (Omit<TimelineItem, 'at'> & { at: string })[]
  older: number | null
}) {
  if (items.length === 0) return <p className="soft">Nothing yet.</p>
  return (
    <>
      <ol>
        {items.map((item) => (
          <li
            key={`${item.kind} ${item.id}`}
            className={`grid grid-cols-[8.2rem_1fr] gap-x-3 border-b border-line py-[0.3rem] lg:max-[80rem]:grid-cols-[6.5rem_1fr] max-[20.01rem]:grid-cols-[minmax(0,1fr)] ${item.kind === 'note' ? noteRow : ''}`}
          >
            <span className={`num text-[length:var(--text-small)] ${item.kind === 'note' ? 'text-ink' : 'text-soft'}`}>
              {item.at}
              <span className="block font-semibold"> {kindLabels[item.kind]}</span>
            </span>
            <span className={`wrap-anywhere whitespace-pre-line ${item.bad ? 'text-brick' : ''}`}>
              {item.kind === 'act' ? `${item.by} ${item.text}` : item.text}
              {item.more && <span className="soft"> {item.more}</span>}
              {item.kind === 'note' && item.by && <span className="soft"> {item.by}</span>}
            </span>
          </li>
        ))}
      </ol>
      <MoreRows next={older} name="before" label="Older" />
    </>
  )
}

/** Note form, always open, so that a note is written while the page is read. */
export function NoteForm({
  noteKey,
  open,
  values,
  fields,
}: {
  noteKey: string
  /** Open leases to choose from. */
  open: { number: number; unit: string }[]
  values: Record<string, string> | undefined
  fields: Record<string, string>
}) {
  return (
    <Form method="post" className="mb-3 border-b border-line pb-3">
      <ErrorSummary errors={fields} general={['', 'form', 'key', 'task_id']} />
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="key" value={noteKey} />
      <label htmlFor="note" className="sr">
        Note
      </label>
      <textarea
        id="note"
        name="note"
        rows={2}
        maxLength={2000}
        required
        placeholder="Write a note"
        className="input field-sizing-content"
        defaultValue={values?.note}
        aria-invalid={fields.note ? true : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <div className="mt-[0.4rem] flex flex-wrap items-center gap-[0.4rem]">
        <label htmlFor="follow_up" className="text-[length:var(--text-small)] text-soft">
          Follow up on
        </label>
        <input
          id="follow_up"
          name="follow_up"
          inputMode="numeric"
          maxLength={10}
          placeholder="mm/dd/yyyy"
          className="input w-[8.2rem]"
          defaultValue={values?.follow_up}
          aria-invalid={fields.follow_up ? true : undefined}
          autoComplete="off"
        />
        <select
          id="follow_up_by"
          name="follow_up_by"
          aria-label="Whose follow-up"
          className="input w-auto"
          defaultValue={values?.follow_up_by}
        >
          <option value="me">by me</option>
          <option value="everybody">by any staff member</option>
        </select>
        {open.length > 1 && (
          <select
            id="lease_number"
            name="lease_number"
            aria-label="About"
            className="input w-auto"
            defaultValue={values?.lease_number}
          >
            {open.map((lease) => (
              <option key={lease.number} value={lease.number}>
                {lease.unit}
              </option>
            ))}
          </select>
        )}
        <Button className="ml-auto" aria-keyshortcuts="Control+Enter">
          Save note
        </Button>
      </div>
    </Form>
  )
}

/** Open tasks about this tenant. */
export function OpenTasks({
  tasks,
  mayWrite,
}: {
  tasks: { id: string; kind: string; note: string; due: string; late: boolean; by: string; mine: boolean }[]
  mayWrite: boolean
}) {
  if (tasks.length === 0) return null
  return (
    <ul className="mb-[0.6rem]" aria-label="Open tasks">
      {tasks.map((task) => (
        <li
          key={task.id}
          className="flex flex-wrap items-center justify-between gap-3 rounded-tag bg-wash px-[0.6rem] py-[0.35rem] not-first:mt-1"
        >
          <span className="flex-[1_1_12rem]">
            <strong className={task.late ? 'text-brick' : undefined}>{formatShort(task.due)}</strong> {task.kind}
            {task.note && `: ${task.note}`}{' '}
            <span className="soft">{task.mine ? 'you' : task.by || 'any staff member'}</span>
          </span>
          {mayWrite && (
            <Form method="post" className="flex flex-wrap gap-[0.3rem]">
              <input type="hidden" name="task" value={task.id} />
              {!task.mine && (
                <Button kind="quiet" name="intent" value="take">
                  Take
                </Button>
              )}
              <Button kind="secondary" name="intent" value="done">
                Done
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}
