import '../styles/calendar.css'
import { DayPicker } from 'react-day-picker'

/**
 * Calendar of two months to pick a day from. Load it with `lazy`, beside a DateField that holds the value.
 * Dates are 'YYYY-MM-DD'. Date objects are in local time and stay in this file, so that no time zone shifts a day.
 */
export default function Calendar({
  value,
  onChange,
  earliest,
  latest,
  today = earliest,
}: {
  value: string | null
  onChange: (date: string) => void
  earliest: string
  latest: string
  today?: string
}) {
  const first = atNoon(earliest)
  const last = atNoon(latest)
  // Both months are shown even when the window ends in the first, because their space is reserved.
  const second = new Date(first.getFullYear(), first.getMonth() + 1, 1, 12)
  return (
    <DayPicker
      className="cal"
      mode="single"
      required
      numberOfMonths={2}
      selected={value ? atNoon(value) : undefined}
      onSelect={(day) => onChange(toPlainDate(day))}
      defaultMonth={value ? atNoon(value) : first}
      startMonth={first}
      endMonth={last > second ? last : second}
      today={atNoon(today)}
      // The accessible name must contain the visible number as a word; 'November 1st' does not contain 1.
      labels={{
        labelDayButton: (day, { today: isToday, selected }) =>
          `${isToday ? 'Today, ' : ''}${LONG_DATE.format(day)}${selected ? ', selected' : ''}`,
      }}
      disabled={[{ before: first }, { after: last }]}
    />
  )
}

const LONG_DATE = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

function atNoon(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day, 12)
}

function toPlainDate(day: Date): string {
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
}
