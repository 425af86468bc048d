// A form with `data-passkey` asks the browser for a passkey (`create`) or for its use (`use`), and sends the answer in its field `answer`.
// Sentences are in the page, hidden until they are needed. Without this script the form is sent with an empty answer, and the portal says why
// that is not enough.
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

const ask = ({ dataset: { options, passkey } }) => {
  const question = { optionsJSON: JSON.parse(options) }
  return passkey === "create" ? startRegistration(question) : startAuthentication(question)
}

/** Shows one of the form's sentences and hides the others; none for null. */
const say = (form, which) => {
  for (const sentence of form.querySelectorAll("[data-when]")) sentence.hidden = sentence.dataset.when !== which
}

const whyNot = (error) => error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED" ? "known" : "refused"

const send = async (form) => {
  const button = form.querySelector("button")
  button.disabled = true
  say(form, null)
  try {
    form.elements.namedItem("answer").value = JSON.stringify(await ask(form))
    form.submit()
  } catch (error) {
    say(form, whyNot(error))
    button.disabled = false
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
}
