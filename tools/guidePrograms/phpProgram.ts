import { literal, type Notation } from "./literal.ts"
import { addressOf } from "./addressOf.ts"
import { type Call, everyStep, namesOf, partsOf, referenceOf, type Step, type Story } from "./Story.ts"

const reference = (text: string): string => {
  const [first = "", ...members] = namesOf(text).map((name) => name.replace("?", ""))
  return `$${first}${members.map((name) => /^\d+$/.test(name) ? `[${name}]` : `['${name}']`).join("")}`
}

/** A reference inside a text. */
const inText = (part: string): string => /^\w+$/.test(part) ? `{$${part}}` : `{${reference(part)}}`

const text = (value: string): string => {
  const parts = partsOf(value)
  if (parts.length === 1) return `'${value.replaceAll(/[\\']/g, "\\$&")}'`
  return `"${parts.map((part, at) => at % 2 === 0 ? part.replaceAll(/[\\"$]/g, "\\$&") : inText(part)).join("")}"`
}

const notation: Notation = {
  reference, text, boolean: String, list: ["[", "]"], object: ["[", "]"], indent: 4, lastComma: true,
  member: (name, value) => `'${name}' => ${value}`,
  spread: (value) => `...${value}`
}

const request = (call: Call, depth: number): string => {
  const { address, method } = addressOf(call)
  const asked = call.query === undefined ? text(address) : `${text(`${address}?`)} . http_build_query(${literal(notation, call.query, depth)})`
  const rest = [...(call.body === undefined ? [] : [literal(notation, call.body, depth)]), ...(call.key === undefined ? [] : [text(call.key)])]
  return `$overa->call(${[`'${method}'`, asked, ...rest].join(", ")})`
}

const pages = (step: Extract<Step, { pages: string }>, depth: number, inner: ReadonlyArray<string>): ReadonlyArray<string> => [
  "$cursor = null;",
  "do {",
  `    $page = ${request({ ...step.call, query: { ...step.call.query, cursor: "{cursor}" } }, depth + 1)};`,
  `    foreach ($page['items'] as $${step.pages}) {`,
  ...inner.map((line) => `        ${line}`),
  "    }",
  "    $cursor = $page['nextCursor'];",
  "} while ($cursor !== null);"
]

/** `echo` with a line's end: inside the quotes where there are double ones. */
const printing = (told: string): string => {
  const only = referenceOf(told)
  if (only !== null) return `echo ${reference(only)}, "\\n";`
  const written = text(told)
  return written.startsWith('"') ? `echo ${written.slice(0, -1)}\\n";` : `echo ${written}, "\\n";`
}

const linesOf = (step: Step, depth: number): ReadonlyArray<string> => {
  if ("note" in step) return [`// ${step.note}`]
  if ("take" in step) return [`$${step.take} = ${reference(step.from)} ?? exit(${JSON.stringify(`${step.otherwise}\n`)});`]
  if ("make" in step) return [`$${step.make} = ${literal(notation, step.value, depth)};`]
  if ("say" in step) return [printing(step.say)]
  if ("refused" in step) return ["try {", `    ${request(step.refused, depth + 1)};`, "} catch (OveraRefused $refused) {", "    echo $refused->errorCode, \"\\n\";", "}"]
  if ("each" in step) return [`foreach (${reference(step.of)} as $${step.each}) {`, ...step.steps.flatMap((one) => linesOf(one, depth + 1)).map((line) => `    ${line}`), "}"]
  if ("pages" in step) return pages(step, depth, step.steps.flatMap((one) => linesOf(one, depth + 2)))
  if ("read" in step) return [`$${step.read} = file_get_contents('${step.file}');`]
  if ("save" in step) return [`file_put_contents('${step.file}', $${step.save});`]
  return [`${step.call.name === undefined ? "" : `$${step.call.name} = `}${request(step.call, depth)};`]
}

/** The story as a program around `Overa.php`. */
export const phpProgram = (story: Story): string => {
  const told = JSON.stringify(everyStep(story.steps))
  return [
    "<?php",
    "require 'Overa.php';",
    "",
    "$overa = new Overa(getenv('OVERA_URL'), getenv('OVERA_AUTH_URL'), getenv('OVERA_CLIENT_ID'), getenv('OVERA_CLIENT_SECRET'));",
    ...(told.includes("{taxpayerId}") ? ["$taxpayerId = getenv('TAXPAYER_ID');"] : []),
    ...(told.includes("{businessPremiseId}") ? ["$businessPremiseId = getenv('BUSINESS_PREMISE_ID');"] : []),
    ...(told.includes("{order}") ? ["$order = $argv[1];"] : []),
    "",
    ...story.steps.flatMap((step) => linesOf(step, 0))
  ].join("\n")
}
