import { checkFiles } from "../check/checkFiles.ts"
import type { GivenFile } from "../check/GivenFile.ts"
import type { Report } from "../check/Finding.ts"
import { nothingKnown } from "../check/Knowledge.ts"
import type { Language } from "../words/sentences.ts"
import { qrCodeOfPicture } from "./qrCodeOfPicture.ts"
import { drawForm, drawReports, type FormState } from "./drawPage.ts"

const page = document.getElementById("page")
if (page === null) throw new Error("The page has no place for its content.")

let language: Language = navigator.language.startsWith("sr-Latn") ? "sr-Latn" : navigator.language.startsWith("sr") ? "sr-Cyrl" : "en"
let files: ReadonlyArray<GivenFile> = []
let reports: ReadonlyArray<Report> | null = null
let state: FormState = { text: "", tin: "" }

const draw = (): void => {
  document.documentElement.lang = language
  page.replaceChildren(
    ...drawForm(language, state, {
      speak: (chosen) => {
        language = chosen
        draw()
      },
      type: (typed) => {
        state = typed
      },
      take: (taken) => void take(taken),
      check: () => void check()
    }),
    drawReports(language, reports)
  )
}

const take = async (taken: ReadonlyArray<File>): Promise<void> => {
  files = await Promise.all(taken.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })))
  await check()
}

const check = async (): Promise<void> => {
  const text = state.text.trim()
  const typed = text === "" ? [] : [{ name: `${text.slice(0, 60)}…`, bytes: new TextEncoder().encode(text) }]
  const tin = state.tin.trim()
  reports = await checkFiles([...files, ...typed], { ...nothingKnown, tin: tin === "" ? null : tin }, qrCodeOfPicture)
  draw()
  document.getElementById("findings")?.focus()
}

draw()
