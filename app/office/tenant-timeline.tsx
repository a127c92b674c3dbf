import { Form } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { TimelineItem } from '../../modules/tenant-view/timeline.ts'
import { Button } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { MoreRows } from './office-list.tsx'

const kinds: Record<TimelineItem['kind'], string> = {
  note: 'Note',
  mail: 'Mail',
  'sign-in': 'Portal',
  act: 'Office',
  money: 'Money',
  gate: 'Gate',
}

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
      <ol className="office-timeline">
        {items.map((item) => (
          <li key={`${item.kind} ${item.id}`} className={`office-${item.kind}`}>
            <span className="office-when num">
              {item.at}
              <span className="office-kind"> {kinds[item.kind]}</span>
            </span>
            <span className={item.bad ? 'office-bad' : undefined}>
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
    <Form method="post" className="office-note-form">
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
        className="input"
        defaultValue={values?.note}
        aria-invalid={fields.note ? true : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <div className="office-note-row">
        <label htmlFor="follow_up">Follow up on</label>
        <input
          id="follow_up"
          name="follow_up"
          inputMode="numeric"
          maxLength={10}
          placeholder="mm/dd/yyyy"
          className="input"
          defaultValue={values?.follow_up}
          aria-invalid={fields.follow_up ? true : undefined}
          autoComplete="off"
        />
        <select name="follow_up_by" aria-label="Whose follow-up" className="input" defaultValue={values?.follow_up_by}>
          <option value="me">by me</option>
          <option value="everybody">by any staff member</option>
        </select>
        {open.length > 1 && (
          <select name="lease_number" aria-label="About" className="input" defaultValue={values?.lease_number}>
            {open.map((lease) => (
              <option key={lease.number} value={lease.number}>
                {lease.unit}
              </option>
            ))}
          </select>
        )}
        <Button aria-keyshortcuts="Control+Enter">Save note</Button>
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
    <ul className="office-tasks" aria-label="Open tasks">
      {tasks.map((task) => (
        <li key={task.id}>
          <span>
            <strong className={task.late ? 'office-bad' : undefined}>{formatShort(task.due)}</strong> {task.kind}
            {task.note && `: ${task.note}`}{' '}
            <span className="soft">{task.mine ? 'you' : task.by || 'any staff member'}</span>
          </span>
          {mayWrite && (
            <Form method="post" className="office-task-acts">
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
