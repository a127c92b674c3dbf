/**
 * The keypad page's script: makes the keys enter digits, and shows the gate's current state every two seconds. The page
 * works without this script.
 */
const code = document.getElementById('code')
const digits = document.getElementById('digits')

digits.hidden = false
digits.addEventListener('click', ({ target }) => {
  const key = target.dataset?.key
  if (key === undefined) return
  code.value =
    key === 'Clear' ? '' : key === 'Back' ? code.value.slice(0, -1) : (code.value + key).slice(0, code.maxLength)
})

/** Replaces the parts of the page that differ in a new copy. */
async function refresh() {
  const response = await fetch(location.href)
  if (!response.ok) return
  const newer = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of ['standing', 'display', 'site-list']) {
    const old = document.getElementById(id)
    const next = newer.getElementById(id)
    if (!old || !next || old.innerHTML === next.innerHTML) continue
    old.innerHTML = next.innerHTML
    old.dataset.open = next.dataset.open ?? ''
  }
}

setInterval(() => {
  refresh().catch(() => {})
}, 2000)
