import { addressOf } from "./addressOf.ts"
import { literal, type Notation } from "./literal.ts"
import { type Call, everyStep, namesOf, partsOf, referenceOf, type Step, type Story } from "./Story.ts"

/** The spelling of names in Python. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const referenceWith = (quote: string) => (text: string): string => {
  const [first = "", ...members] = namesOf(text).map((name) => name.replace("?", ""))
  return `${snake(first)}${members.map((name) => /^\d+$/.test(name) ? `[${name}]` : `[${quote}${name}${quote}]`).join("")}`
}
const reference = referenceWith("\"")

const text = (value: string): string => {
  const parts = partsOf(value)
  const quoted = (part: string): string => JSON.stringify(part).slice(1, -1)
  return parts.length === 1 ? `"${quoted(value)}"` : `f"${parts.map((part, at) => at % 2 === 0 ? quoted(part) : `{${referenceWith("'")(part)}}`).join("")}"`
}

const notation: Notation = {
  reference, text, boolean: (value) => value ? "True" : "False", list: ["[", "]"], object: ["{", "}"], indent: 4, lastComma: true,
  member: (name, value) => `"${name}": ${value}`,
  spread: (value) => `**${value}`
}

const request = (call: Call, depth: number): string => {
  const { address, method } = addressOf(call)
  const asked = call.query === undefined ? text(address) : `${text(`${address}?`)} + urlencode(${literal(notation, call.query, depth)})`
  const rest = [...(call.body === undefined ? [] : [literal(notation, call.body, depth)]), ...(call.key === undefined ? [] : [text(call.key)])]
  return `overa.call(${[`"${method}"`, asked, ...rest].join(", ")})`
}

const pages = ({ call, pages: item }: Extract<Step, { pages: string }>, depth: number, inner: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { address, method } = addressOf(call)
  return [
    `query = ${literal(notation, call.query ?? {}, depth)}`,
    "while True:",
    `    page = overa.call("${method}", ${text(`${address}?`)} + urlencode(query))`,
    `    for ${snake(item)} in page["items"]:`,
    ...inner.map((line) => `        ${line}`),
    `    if page["nextCursor"] is None:`,
    "        break",
    `    query["cursor"] = page["nextCursor"]`
  ]
}

const linesOf = (step: Step, depth: number): ReadonlyArray<string> => {
  if ("note" in step) return [`# ${step.note}`]
  if ("take" in step) return [`${snake(step.take)} = ${reference(step.from)}`, `if not ${snake(step.take)}:`, `    sys.exit(${JSON.stringify(step.otherwise)})`]
  if ("make" in step) return [`${snake(step.make)} = ${literal(notation, step.value, depth)}`]
  if ("say" in step) return [`print(${referenceOf(step.say) === null ? text(step.say) : reference(referenceOf(step.say) ?? "")})`]
  if ("refused" in step) return ["try:", `    ${request(step.refused, depth + 1)}`, "except Refused as refused:", "    print(refused.code)"]
  if ("each" in step) return [`for ${snake(step.each)} in ${reference(step.of)}:`, ...step.steps.flatMap((one) => linesOf(one, depth + 1)).map((line) => `    ${line}`)]
  if ("pages" in step) return pages(step, depth, step.steps.flatMap((one) => linesOf(one, depth + 2)))
  if ("read" in step) return [`with open("${step.file}", encoding="utf-8", newline="") as source:`, `    ${snake(step.read)} = source.read()`]
  if ("save" in step) return [`with open("${step.file}", "wb") as target:`, `    target.write(${snake(step.save)})`]
  return [`${step.call.name === undefined ? "" : `${snake(step.call.name)} = `}${request(step.call, depth)}`]
}

/** The story as a program around `overa.py`. */
export const pythonProgram = (story: Story): string => {
  const steps = everyStep(story.steps)
  const told = JSON.stringify(steps)
  const body = story.steps.flatMap((step) => linesOf(step, 0))
  return [
    `import os${told.includes("{order}") || steps.some((step) => "take" in step) ? ", sys" : ""}`,
    ...(body.some((line) => line.includes("urlencode(")) ? ["from urllib.parse import urlencode"] : []),
    "",
    `from overa import Overa${steps.some((step) => "refused" in step) ? ", Refused" : ""}`,
    "",
    `overa = Overa(*(os.environ[name] for name in ("OVERA_URL", "OVERA_AUTH_URL", "OVERA_CLIENT_ID", "OVERA_CLIENT_SECRET")))`,
    ...(told.includes("{taxpayerId}") ? [`taxpayer_id = os.environ["TAXPAYER_ID"]`] : []),
    ...(told.includes("{businessPremiseId}") ? [`business_premise_id = os.environ["BUSINESS_PREMISE_ID"]`] : []),
    ...(told.includes("{order}") ? ["order = sys.argv[1]"] : []),
    "",
    ...body
  ].join("\n")
}
