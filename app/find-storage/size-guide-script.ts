/** Browser script of the size guide: a press of − or + fetches the page and replaces the shown result. */

const form = document.querySelector<HTMLFormElement>('[data-sizing]')
const status = form?.querySelector('[role=status]')
let request = new AbortController()

/** Sets the count of an item in the size guide before the server responds, so that fast presses add up. */
function setCount(tile: HTMLElement, count: string): void {
  const steps = tile.dataset.steps?.split(' ') ?? []
  const index = steps.indexOf(count)
  const [less, more] = tile.querySelectorAll('button')
  const field = tile.querySelector('input')
  const output = tile.querySelector('output')
  if (!less || !more || !field || !output) return
  field.value = count
  output.value = count
  for (const [button, next] of [
    [less, steps[index - 1]],
    [more, steps[index + 1]],
  ] as const) {
    button.value = next ?? count
    if (next === undefined) button.setAttribute('aria-disabled', 'true')
    else button.removeAttribute('aria-disabled')
  }
}

async function updateResult(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (value !== '' && value !== '0') query.append(name, String(value))
  const address = `${form.action}${query.size > 0 ? '?' : ''}${query}`
  const response = await fetch(address, { signal })
  if (!response.ok) throw new Error(response.statusText)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  signal.throwIfAborted()
  for (const id of ['your-size', 'drawn']) {
    const next = page.getElementById(id)
    if (!next) throw new Error(id)
    document.getElementById(id)?.replaceWith(next)
  }
  document.title = page.title
  history.replaceState(null, '', address)
  if (status) status.textContent = document.getElementById('your-size')?.dataset.says ?? ''
}

form?.addEventListener('submit', (event) => {
  const { submitter } = event
  const tile = submitter?.closest<HTMLElement>('[data-steps]')
  if (!tile || !(submitter instanceof HTMLButtonElement)) return
  event.preventDefault()
  setCount(tile, submitter.value)
  request.abort()
  request = new AbortController()
  const { signal } = request
  updateResult(form, signal).catch(() => {
    if (!signal.aborted) form.submit()
  })
})
