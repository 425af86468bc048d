import { operations } from "@overa/rest-api"
import { literal, type Notation } from "./literal.ts"
import { type Call, everyStep, type Members, namesOf, partsOf, referenceOf, type Step, type Story } from "./Story.ts"

const reference = (text: string): string =>
  namesOf(text).reduce((before, name) => {
    const own = name.replace("?", "")
    const next = /^\d/.test(own) ? `${before}[${own}]` : before === "" ? own : `${before}.${own}`
    return name.endsWith("?") ? `${next}?` : next
  }, "")

const text = (value: string): string =>
  partsOf(value).length === 1 ? JSON.stringify(value) : `\`${partsOf(value).map((part, at) => at % 2 === 0 ? part : `\${${reference(part)}}`).join("")}\``

const notation: Notation = {
  reference, text, boolean: String, list: ["[", "]"], object: ["{", "}"], indent: 2, lastComma: false,
  member: (name, value) => name === value ? name : `${name}: ${value}`,
  spread: (value) => `...${value}`
}

/** The client takes a list where a parameter may be given several times. */
const inLists = (operation: string, query: Members): Members => {
  const declared = operations.find(({ id }) => id === operation)?.query
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, declared?.[name]?.repeatable === true ? [value] : value]))
}

const inputOf = ({ body, operation, path, query }: Call): Members => ({
  ...(path === undefined ? {} : { path }), ...(query === undefined ? {} : { query: inLists(operation, query) }), ...(body === undefined ? {} : { body })
})

const request = (call: Call, depth: number): string => {
  const input = literal(notation, inputOf(call), depth)
  return call.key === undefined
    ? `await overa.call("${call.operation}", ${input})`
    : `await overa.settle(overa.prepare("${call.operation}", ${input}, ${text(call.key)}))`
}

const statement = (call: Call, depth: number): string => `${call.name === undefined ? "" : `const ${call.name} = `}${request(call, depth)}`

const linesOf = (step: Step, depth: number): ReadonlyArray<string> => {
  const inner = (steps: ReadonlyArray<Step>) => steps.flatMap((one) => linesOf(one, depth + 1))
  const block = (head: string, steps: ReadonlyArray<Step>) => [head, ...inner(steps).map((line) => `  ${line}`), "}"]
  if ("note" in step) return [`// ${step.note}`]
  if ("take" in step) return [`const ${step.take} = ${reference(step.from)}`, `if (!${step.take}) throw new Error(${JSON.stringify(step.otherwise)})`]
  if ("make" in step) return [`const ${step.make} = ${literal(notation, step.value, depth)} as const`]
  if ("say" in step) return [`console.log(${referenceOf(step.say) === null ? text(step.say) : reference(referenceOf(step.say) ?? "")})`]
  if ("refused" in step) return ["try {", `  ${request(step.refused, depth + 1)}`, "} catch (error) {", "  if (!(error instanceof RequestRefused)) throw error", "  console.log(error.code)", "}"]
  if ("each" in step) return block(`for (const ${step.each} of ${reference(step.of)}) {`, step.steps)
  if ("pages" in step) return block(`for await (const ${step.pages} of overa.each("${step.call.operation}", ${literal(notation, inputOf(step.call), depth)})) {`, step.steps)
  if ("read" in step) return [`const ${step.read} = readFileSync("${step.file}", "utf8")`]
  if ("save" in step) return [`writeFileSync("${step.file}", ${step.save})`]
  return [statement(step.call, depth)]
}

/** The story as a module around `@overa/client`. */
export const typeScriptProgram = (story: Story): string => {
  const steps = everyStep(story.steps)
  const files = [...(steps.some((step) => "read" in step) ? ["readFileSync"] : []), ...(steps.some((step) => "save" in step) ? ["writeFileSync"] : [])]
  const told = JSON.stringify(story.steps)
  return [
    ...(files.length === 0 ? [] : [`import { ${files.join(", ")} } from "node:fs"`]),
    `import { OveraClient${steps.some((step) => "refused" in step) ? ", RequestRefused" : ""} } from "@overa/client"`,
    "",
    "const overa = new OveraClient({",
    ...["baseUrl: \"OVERA_URL\"", "authUrl: \"OVERA_AUTH_URL\"", "clientId: \"OVERA_CLIENT_ID\"", "clientSecret: \"OVERA_CLIENT_SECRET\""]
      .map((member, at) => `  ${member.replace(/"(\w+)"/, "process.env[\"$1\"] ?? \"\"")}${at === 3 ? "" : ","}`),
    "})",
    ...(told.includes("{taxpayerId}") ? ["const taxpayerId = process.env[\"TAXPAYER_ID\"] ?? \"\""] : []),
    ...(told.includes("{businessPremiseId}") ? ["const businessPremiseId = process.env[\"BUSINESS_PREMISE_ID\"] ?? \"\""] : []),
    ...(told.includes("{order}") ? ["const order = process.argv[2] ?? \"\""] : []),
    "",
    ...story.steps.flatMap((step) => linesOf(step, 0))
  ].join("\n")
}
