// Shows a document's status as it changes, without another load of the page. It stops when nothing changes any more, and after a quarter of an hour: asking
// keeps the session open. Without it the person loads the page again.
const most = Date.now() + 900_000
let pause = 2_000

const look = async () => {
  const shown = document.querySelector("[data-changing]")
  if (!shown?.dataset.changing || Date.now() > most) return
  try {
    const answer = document.hidden ? null : await fetch(location.href)
    if (answer?.redirected) return
    const fresh = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null
    const part = fresh?.querySelector("[data-changing]")
    if (part && part.dataset.changing !== shown.dataset.changing) {
      shown.replaceWith(part)
      document.title = fresh.title
      document.querySelector("[data-said]").textContent = part.querySelector("[data-status]").textContent
      pause = 2_000
    }
  } catch {
    // The connection is lost; the next time may find it again.
  }
  pause = Math.min(pause * 1.3, 30_000)
  setTimeout(look, pause)
}

setTimeout(look, pause)
