import type { Answer } from "./Deployment.ts"
import { type Finding, finding } from "./Finding.ts"
import type { Ground } from "./sale.ts"

interface Place {
  readonly row: string
  /** Members that the body has. */
  readonly members: ReadonlyArray<string>
  /** Where its code is; null where it has none. */
  readonly path: ReadonlyArray<string> | null
}

const inTicks = (text: string): ReadonlyArray<string> => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

/** The table of the page of errors that says where a program finds the code. */
const placesOf = (errorsPage: string): ReadonlyArray<Place> => {
  const [, section = ""] = errorsPage.split("## Where the code is")
  const [table = ""] = section.split("\n\nWhat comes next")
  return table.split("\n").filter((line) => line.startsWith("| `")).map((row) => {
    const [members = "", , code = ""] = row.slice(2).split(" | ")
    const [path] = inTicks(code)
    return { row, members: inTicks(members), path: path === undefined ? null : path.split(".") }
  })
}

const codesOf = (errorsPage: string): ReadonlySet<string> => new Set([...errorsPage.matchAll(/^\| \[([A-Z_0-9]+)\]/gm)].map(([, code = ""]) => code))

const judged = ({ headers, json, status }: Answer, places: ReadonlyArray<Place>, codes: ReadonlySet<string>): readonly [Place | null, ReadonlyArray<string>] => {
  const place = json === null ? undefined : places.find(({ members }) => members.every((name) => name in json))
  if (place === undefined) return [null, [`${status} ${JSON.stringify(json).slice(0, 200)} has no code where the table says`]]
  if (place.path === null) return [place, headers.get("content-type")?.startsWith("application/problem+json") === true && Object.keys(json.errors).length > 0 ? [] : [`${status}: a problem names no field`]]
  const code = place.path.reduce((body, name) => body?.[name], json)
  return [place, codes.has(code) || place.members.includes("error") ? [] : [`${status}: ${JSON.stringify(code)} is no code of the page`]]
}

/** Every failed answer of the whole reading, read as the table of the errors' page says. */
export const whereTheCodeIs = async ({ deployment }: Ground, errorsPage: string): Promise<ReadonlyArray<Finding>> => {
  const places = placesOf(errorsPage)
  const codes = codesOf(errorsPage)
  await deployment.askForToken({ clientId: deployment.settings.clientId, clientSecret: "wrong" })
  const found = deployment.failed.map((answer) => judged(answer, places, codes))
  const rows = places.map((place) => {
    const own = found.filter(([at]) => at === place)
    return finding(place.row, own.length === 0 ? ["no answer had it"] : own.flatMap(([, deviations]) => deviations))
  })
  return [...rows, finding("every failed answer is one of these", found.filter(([at]) => at === null).flatMap(([, deviations]) => deviations))]
}
