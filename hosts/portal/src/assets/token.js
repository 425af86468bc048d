// The token of a mailed link stands after its `#`, which browsers send to no server. This script puts it into the form and sends the form; without it the
// person enters the code from the message.
const token = location.hash.slice(1)
const form = document.querySelector("form[data-token]")

if (form !== null && /^[\w-]{20,100}$/.test(token)) {
  history.replaceState(null, "", location.pathname)
  form.elements.namedItem("token").value = token
  form.submit()
}
