/** The keypad's script: its keys type digits, and the page says at once what the gate has heard. The page works without it. */
const code = document.getElementById('code')
const digits = document.getElementById('digits')

digits.hidden = false
digits.addEventListener('click', ({ target }) => {
  const key = target.dataset?.key
  if (key === undefined) return
  code.value =
    key === 'Clear' ? '' : key === 'Back' ? code.value.slice(0, -1) : (code.value + key).slice(0, code.maxLength)
})

/** Takes over what a newer copy of the page says. */
async function look() {
  const answer = await fetch(location.href)
  if (!answer.ok) return
  const newer = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const id of ['standing', 'display', 'books']) {
    const [old, next] = [document.getElementById(id), newer.getElementById(id)]
    if (!old || !next || old.innerHTML === next.innerHTML) continue
    old.innerHTML = next.innerHTML
    old.dataset.open = next.dataset.open ?? ''
  }
}

setInterval(() => {
  look().catch(() => {})
}, 2000)
