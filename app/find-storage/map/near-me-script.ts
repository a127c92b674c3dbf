/** Browser script of the location button: asks the browser for the visitor's position and opens the search with it. */

const complaints = {
  insecure: 'Your browser tells where you are on secure pages only. Type a city or ZIP code instead.',
  refused:
    'Your browser did not let us see where you are. Allow it in the settings of the browser, or type a city or ZIP code.',
  late: 'Finding you takes too long. Try again, or type a city or ZIP code.',
  unknown: 'Your device does not know where it is. Type a city or ZIP code instead.',
}

/** Rounds a coordinate to two decimals of a degree: the sent position is up to half a mile from the exact one. */
const roundCoordinate = (degrees: number) => degrees.toFixed(2)

for (const element of document.querySelectorAll<HTMLElement>('[data-locate]')) {
  const [button, hint, status] = [...element.children] as [HTMLElement, HTMLElement, HTMLElement]
  element.dataset.locate = 'ready'
  const showStatus = (text: string) => {
    status.textContent = text
    hint.hidden = text !== ''
    button.removeAttribute('aria-disabled')
  }
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled')) return
    if (!isSecureContext || !('geolocation' in navigator)) return showStatus(complaints.insecure)
    showStatus('Finding you …')
    button.setAttribute('aria-disabled', 'true')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        showStatus('')
        location.assign(`/search?lat=${roundCoordinate(coords.latitude)}&lng=${roundCoordinate(coords.longitude)}`)
      },
      ({ code }) => showStatus(code === 1 ? complaints.refused : code === 3 ? complaints.late : complaints.unknown),
      { maximumAge: 300_000, timeout: 10_000 },
    )
  })
}
