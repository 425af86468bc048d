import type { Report } from "../check/Finding.ts"
import { kindWord, label, type Language, languages, sentence, verdictWord } from "../words/sentences.ts"

export interface FormState {
  readonly text: string
  readonly tin: string
}

export interface FormActs {
  readonly speak: (language: Language) => void
  readonly type: (state: FormState) => void
  readonly take: (files: ReadonlyArray<File>) => void
  readonly check: () => void
}

type Attributes = Readonly<Record<string, string>>

/** An element with its texts as texts: nothing in a file is ever treated as markup. */
const el = <Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: ReadonlyArray<Node | string>): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const languageNames: Readonly<Record<Language, string>> = { "sr-Cyrl": "Српски", "sr-Latn": "Srpski", en: "English" }

const languageButtons = (language: Language, speak: FormActs["speak"]): HTMLElement =>
  el("nav", { "aria-label": label("language", language) }, ...languages.map((one) => {
    const button = el("button", { type: "button", lang: one, "aria-pressed": String(one === language) }, languageNames[one])
    button.addEventListener("click", () => speak(one))
    return button
  }))

const dropPlace = (language: Language, take: FormActs["take"]): HTMLElement => {
  const input = el("input", { type: "file", id: "files", multiple: "" })
  input.addEventListener("change", () => take([...input.files ?? []]))
  const place = el("section", { id: "drop" }, el("p", {}, label("intro", language)), el("label", { for: "files" }, label("files", language)), input, el("p", {}, label("keysHint", language)))
  for (const name of ["dragenter", "dragover"]) {
    place.addEventListener(name, (event) => {
      event.preventDefault()
      place.classList.add("over")
    })
  }
  place.addEventListener("dragleave", () => place.classList.remove("over"))
  place.addEventListener("drop", (event) => {
    event.preventDefault()
    place.classList.remove("over")
    take([...event.dataTransfer?.files ?? []])
  })
  return place
}

const typedFields = (language: Language, state: FormState, { check, type }: FormActs): HTMLElement => {
  const text = el("textarea", { id: "text", spellcheck: "false" })
  const tin = el("input", { id: "tin", autocomplete: "off" })
  text.value = state.text
  tin.value = state.tin
  for (const field of [text, tin]) field.addEventListener("input", () => type({ text: text.value, tin: tin.value }))
  const button = el("button", { type: "button", id: "check" }, label("check", language))
  button.addEventListener("click", check)
  return el("section", {}, el("label", { for: "text" }, label("text", language)), text, el("label", { for: "tin" }, label("tin", language)), tin, el("p", {}, button))
}

/** Languages, the place for files, the fields. */
export const drawForm = (language: Language, state: FormState, acts: FormActs): ReadonlyArray<HTMLElement> => [
  languageButtons(language, acts.speak),
  el("h1", {}, label("title", language)),
  dropPlace(language, acts.take),
  typedFields(language, state, acts)
]

const drawReport = (language: Language, { findings, kind, name }: Report): HTMLElement =>
  el(
    "article",
    {},
    el("h2", {}, `${name} (${kindWord(kind, language)})`),
    el("ul", {}, ...findings.map((finding) =>
      el("li", { class: finding.verdict }, el("strong", {}, `${verdictWord(finding.verdict, language)}:`), sentence(finding, language))))
  )

/** The findings, file by file; empty before a check. */
export const drawReports = (language: Language, reports: ReadonlyArray<Report> | null): HTMLElement =>
  el("section", { id: "findings", tabindex: "-1", "aria-live": "polite", "aria-label": label("results", language) }, ...(reports ?? []).map((report) => drawReport(language, report)))
