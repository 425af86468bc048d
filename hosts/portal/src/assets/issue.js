// Shows the receipt while it is being typed, adds lines without leaving the page, and keeps the entries in this tab where the connection is lost. The form works without it.
const here = document.querySelector("form[data-issue]")

if (here !== null) {
  const entry = here.querySelector("button[formaction]").formAction
  const stored = `overa issue ${here.getAttribute("action")}`
  const marks = ["proof", "author", "place", "form", "seen"]
  let asked = 0
  let waiting

  const current = () => document.querySelector("form[data-issue]")
  const fieldsOf = (form, submitter) => new URLSearchParams(new FormData(form, submitter))

  const keep = () => {
    const fields = fieldsOf(current())
    for (const name of marks) fields.delete(name)
    sessionStorage.setItem(stored, fields.toString())
  }

  // Entries of another draft in this tab are over.
  for (const name of Object.keys(sessionStorage)) if (name.startsWith("overa issue ") && name !== stored) sessionStorage.removeItem(name)

  const tell = (text) => {
    const said = document.createElement("p")
    said.className = "notice wait"
    said.setAttribute("role", "status")
    said.textContent = text
    document.getElementById("preview").replaceChildren(said)
  }

  // Only the newest answer is shown: an older one may come later. Where the document was issued already, its own page is.
  const ask = async (fields, show) => {
    const mine = ++asked
    const read = async (answer) => ({ url: answer.url, text: await answer.text() })
    const answer = await fetch(entry, { method: "POST", body: fields }).then(read).catch(() => null)
    if (mine !== asked) return
    if (answer === null) return tell(here.dataset.offline)
    if (new URL(answer.url).pathname !== new URL(entry, location.href).pathname) return location.assign(answer.url)
    show(new DOMParser().parseFromString(answer.text, "text/html"))
  }

  const showPreview = (page) => {
    const fresh = page.getElementById("preview")
    if (fresh !== null) document.getElementById("preview").replaceWith(fresh)
  }

  const showAll = (page) => {
    const fresh = page.querySelector("form[data-issue]")
    const { id: focused, name, value } = document.activeElement ?? {}
    if (fresh === null) return
    const lines = current().querySelectorAll("fieldset.line").length
    current().replaceWith(fresh)
    const last = [...fresh.querySelectorAll("fieldset.line")].at(-1)
    const added = fresh.querySelectorAll("fieldset.line").length > lines && last?.querySelector("[name^=name-]").value === ""
    const pressed = name ? [...fresh.querySelectorAll("button")].find((button) => button.name === name && button.value === value) : null
    const next = added ? last.querySelector("[name^=name-]") : focused ? document.getElementById(focused) : pressed
    ;(next ?? fresh.querySelector("[name=find]"))?.focus()
    keep()
  }

  document.addEventListener("input", (event) => {
    if (!current().contains(event.target) || event.target.name === "find") return
    keep()
    // What was previewed is not what is typed now.
    document.querySelector("#preview button")?.setAttribute("disabled", "")
    clearTimeout(waiting)
    // Another kind of document has other fields.
    waiting = setTimeout(() => ask(fieldsOf(current()), event.target.name === "kind" ? showAll : showPreview), 300)
  })

  // While the V-PFR takes long, the page says so, and opens the document as soon as it is stored.
  const tellSending = () => {
    const began = Date.now()
    const seconds = document.createElement("span")
    seconds.setAttribute("aria-hidden", "true")
    tell(here.dataset.sending)
    document.querySelector("#preview .notice").append(" ", seconds)
    const look = async () => {
      seconds.textContent = `${Math.round((Date.now() - began) / 1_000)} s`
      const answer = await fetch(location.href).catch(() => null)
      if (answer?.redirected && /\/receipts\/[0-9a-f-]{36}$/.test(new URL(answer.url).pathname)) location.assign(answer.url)
      else setTimeout(look, 1_000)
    }
    setTimeout(look, 1_500)
  }

  document.addEventListener("submit", (event) => {
    // The fields are read for sending before the page is changed.
    if (event.submitter === null || event.submitter.getAttribute("formaction") === null) return void setTimeout(tellSending)
    event.preventDefault()
    clearTimeout(waiting)
    ask(fieldsOf(event.target, event.submitter), showAll)
  })

  const before = sessionStorage.getItem(stored)
  if (before !== null && here.dataset.fresh === "yes") {
    const fields = new URLSearchParams(before)
    for (const [name, value] of new FormData(here)) if (marks.includes(name)) fields.set(name, value)
    ask(fields, showAll)
  }
}
