// A page that checks a receipt on the reader's own device. Nothing is sent anywhere.
import { type Outcome, sentence, verifyReceipt } from "@overa/verify"

const said: Readonly<Record<Outcome, string>> = {
  PROVEN: "Signed by the holder of the key you gave.",
  CLAIMED: "Not proven: the receipt says so, and no key of yours shows it.",
  CONTRADICTED: "Wrong: this receipt contradicts itself."
}

const status = document.querySelector("[role=status]")
const list = document.querySelector("ul")

document.querySelector("form")?.addEventListener("submit", (event) => {
  event.preventDefault()
  const given = new FormData(event.target as HTMLFormElement)
  const text = (name: string): string => String(given.get(name) ?? "").trim()
  const tin = text("tin")
  const key = text("key")
  try {
    const { findings, outcome } = verifyReceipt(text("link"), { ...(tin === "" ? {} : { tin }), ...(key === "" ? {} : { signers: { "your key": key } }) })
    status?.replaceChildren(said[outcome])
    list?.replaceChildren(...findings.map((finding) => Object.assign(document.createElement("li"), { textContent: sentence(finding, "en") })))
  } catch (error) {
    status?.replaceChildren(error instanceof TypeError ? error.message : "This could not be checked.")
    list?.replaceChildren()
  }
})
