import { Form, Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { type FieldTask, loadFieldTasks } from '../../../modules/leases/views/field-tasks.ts'
import { CompleteTask } from '../../../modules/staff/operations/complete-task.ts'
import { loadOpenTasks } from '../../../modules/staff/views/own-and-unassigned-open-tasks.ts'
import { SubmitButton } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { officeAction } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/field-work'

/** Maximum number of facilities in one round; with more, the staff member first has to choose fewer. */
const MAX_FACILITIES = 30

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'lock.set')
  const { services } = page.site
  const { chosen, options, query } = await loadFacilitiesInView(page, 'lock.set')
  const codes = chosen.length > 0 ? chosen : options.map(({ code }) => code)
  const tooMany = codes.length > MAX_FACILITIES
  const [fieldTasks, tasks] = tooMany
    ? [[], []]
    : await Promise.all([loadFieldTasks(services, codes), loadOpenTasks(services, page.staff, { facilities: codes })])
  const days = new Map(options.map(({ code, timeZone }) => [code, todayIn(timeZone, services.clock.now())]))
  // Tasks without a facility, or at one outside `options`, are due by the date at the round's first facility.
  const today = days.get(codes[0] ?? '') ?? todayIn('UTC', services.clock.now())
  return {
    brand: page.site.brand.name,
    tooMany,
    query,
    today: formatShort(today),
    facilities: options
      .filter(({ code }) => codes.includes(code))
      .map(({ code, name }) => ({
        code,
        name,
        tasks: fieldTasks
          .filter((task) => task.locationCode === code)
          .map((task) => ({ ...task, since: task.since && formatShort(task.since) })),
      }))
      .filter(({ tasks }) => tasks.length > 0),
    tasks: tasks
      .filter((task) => task.due_on <= (days.get(task.location_code ?? '') ?? today))
      .map((task) => ({ id: task.task_id, what: task.note || task.kind, where: task.location_code ?? '' })),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'lock.set')
  return officeAction(page, args.request, {
    done: {
      operation: CompleteTask,
      input: ({ typed }) => ({ task_id: typed.task ?? '' }),
      fieldNames: () => 'form',
      // The page shows the round again, without a redirect.
      shows: () => [],
    },
  })
}

const taskTexts: Record<FieldTask['kind'], string> = {
  verify: 'Look at the empty unit',
  'set lock': 'Set our lock',
  'take lock off': 'Take our lock off',
}

/** Page of today's round in walking order, for phones. */
export default function TodaysRoundPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, tooMany, facilities, tasks, today, query } = loaderData
  const fields = actionData?.fields ?? {}
  const count = facilities.reduce((sum, facility) => sum + facility.tasks.length, 0)
  return (
    <OfficePageFrame title={`Field, ${today}`} brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} />
      {tooMany && <p>Choose a facility first: there are too many for one round.</p>}
      {!tooMany && count + tasks.length === 0 && <p className="soft">Nothing is to be done. Enjoy the quiet.</p>}
      {facilities.map(({ code, name, tasks }) => (
        <Section key={code} title={name} count={tasks.length}>
          <ul>
            {tasks.map((task) => (
              <li key={`${task.kind} ${task.leaseNumber}`} className="border-b border-line">
                <Link
                  to={`/office/field/${code}/${task.leaseNumber}${query}`}
                  className="flex min-h-16 items-center gap-4 py-2 text-ink no-underline hover:bg-wash"
                  data-row
                  data-open
                  data-kind={task.kind}
                >
                  <strong className="min-w-[4.5rem] flex-none text-[1.5rem] tabular-nums">{task.unitNumber}</strong>
                  <span className="grid flex-1">
                    {taskTexts[task.kind]}
                    <span className="soft small">
                      Floor {task.floor}
                      {task.since && `, left ${task.since}`}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {tasks.length > 0 && (
        <Section title="Other tasks" count={tasks.length}>
          <ul>
            {tasks.map((task) => (
              <li key={task.id} className="border-b border-line">
                <Form method="post" className="flex min-h-16 items-center gap-4 py-2">
                  <input type="hidden" name="task" value={task.id} />
                  <span className="grid flex-1">
                    {task.what}
                    <span className="soft small">{task.where}</span>
                  </span>
                  <SubmitButton kind="secondary" className="min-h-14">
                    Done
                  </SubmitButton>
                </Form>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </OfficePageFrame>
  )
}
