import type { Operation } from "../http/Operation.ts"

/** One program, as Redoc and other readers of `x-codeSamples` show it. */
export interface CodeSample {
  readonly lang: "Shell" | "TypeScript" | "PHP" | "Python"
  readonly label: string
  readonly source: string
}

/** What the key of the contract's examples is. */
export const exampleKey = "order-2026-000123-sale"

/** A part of an address: a text, or the name of a variable of the environment that has the caller's own value. */
type Part = { readonly text: string } | { readonly variable: string }

interface Request {
  readonly operation: Operation
  readonly address: ReadonlyArray<Part>
  /** Beside `Authorization`. */
  readonly headers: ReadonlyArray<string>
  readonly body: string | null
}

const variableOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** A format is the first one of its list; every other value is the caller's own. */
const partOf = ({ pathParameters }: Operation, name: string): Part => {
  const schema = pathParameters[name]?.schema as { readonly enum?: ReadonlyArray<string> } | undefined
  const [first] = schema?.enum ?? []
  return first === undefined ? { variable: variableOf(name) } : { text: first }
}

const requiredQuery = ({ query }: Operation): ReadonlyArray<string> => Object.keys(query).filter((name) => query[name]?.required === true)

const addressOf = (operation: Operation): ReadonlyArray<Part> => [
  ...operation.path.split(/[{}]/).map((part, at) => at % 2 === 0 ? { text: part } : partOf(operation, part)),
  ...requiredQuery(operation).flatMap((name, at) => [{ text: `${at === 0 ? "?" : "&"}${name}=` }, { variable: variableOf(name) }])
].filter((part) => !("text" in part) || part.text !== "")

/** Neighbouring texts as one. */
const joined = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> =>
  parts.reduce<ReadonlyArray<Part>>((before, part) => {
    const last = before.at(-1)
    return last !== undefined && "text" in last && "text" in part ? [...before.slice(0, -1), { text: last.text + part.text }] : [...before, part]
  }, [])

const bodyText = ({ body }: Operation): string | null => {
  if (body === null) return null
  return typeof body.example === "string" ? body.example.trimEnd() : JSON.stringify(body.example, null, 2)
}

const requestOf = (operation: Operation): Request => ({
  operation,
  address: joined(addressOf(operation)),
  headers: [
    ...(operation.body === null ? [] : [`Content-Type: ${operation.body.mediaType}`]),
    ...(operation.idempotent ? [`Idempotency-Key: ${exampleKey}`] : [])
  ],
  body: bodyText(operation)
})

const curl = ({ address, body, headers, operation }: Request): string => [
  `curl -sS --max-time 60 -w '\\n%{http_code}\\n' -X ${operation.method} \\`,
  `  "$OVERA_URL${address.map((part) => "text" in part ? part.text : `$${part.variable}`).join("")}" \\`,
  ...headers.map((header) => `  -H '${header}' \\`),
  `  -H "Authorization: Bearer $OVERA_TOKEN"${body === null ? "" : " --data-binary @- <<'BODY'"}`,
  ...(body === null ? [] : [body, "BODY"])
].join("\n")

const php = ({ address, body, headers, operation }: Request): string => [
  "<?php",
  ...(body === null ? [] : ["$body = <<<'BODY'", body, "BODY;"]),
  `$request = curl_init(getenv('OVERA_URL') . ${address.map((part) => "text" in part ? `'${part.text}'` : `getenv('${part.variable}')`).join(" . ")});`,
  "curl_setopt_array($request, [",
  `    CURLOPT_CUSTOMREQUEST => '${operation.method}',`,
  "    CURLOPT_HTTPHEADER => [",
  "        'Authorization: Bearer ' . getenv('OVERA_TOKEN'),",
  ...headers.map((header) => `        '${header}',`),
  "    ],",
  ...(body === null ? [] : ["    CURLOPT_POSTFIELDS => $body,"]),
  "    CURLOPT_RETURNTRANSFER => true,",
  "    CURLOPT_TIMEOUT => 60,",
  "]);",
  "$answer = curl_exec($request);",
  "if ($answer === false) exit('No answer: ' . curl_error($request) . \"\\n\");",
  "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), \"\\n\", $answer, \"\\n\";"
].join("\n")

const python = ({ address, body, headers, operation }: Request): string => [
  "import os, urllib.error, urllib.request",
  "",
  ...(body === null ? [] : [`body = r'''${body}'''`]),
  "request = urllib.request.Request(",
  `    os.environ["OVERA_URL"] + ${address.map((part) => "text" in part ? `"${part.text}"` : `os.environ["${part.variable}"]`).join(" + ")},`,
  `    method="${operation.method}",`,
  `    headers={`,
  `        "Authorization": "Bearer " + os.environ["OVERA_TOKEN"],`,
  ...headers.map((header) => `        ${header.split(": ").map((text) => `"${text}"`).join(": ")},`),
  "    },",
  ...(body === null ? [] : ["    data=body.encode(),"]),
  ")",
  "try:",
  "    answer = urllib.request.urlopen(request, timeout=60)",
  "except urllib.error.HTTPError as refusal:",
  "    answer = refusal",
  `print(answer.code, answer.read().decode(), sep="\\n")`
].join("\n")

/** The input of `@overa/client`: an object literal with the members that the operation has. */
const clientInput = ({ body, operation }: Request): string => {
  const value = (part: Part): string => "text" in part ? JSON.stringify(part.text) : `process.env["${part.variable}"] ?? ""`
  const members = (values: ReadonlyArray<readonly [string, Part]>): string => `{ ${values.map(([name, part]) => `${name}: ${value(part)}`).join(", ")} }`
  const path = Object.keys(operation.pathParameters).map((name) => [name, partOf(operation, name)] as const)
  const query = requiredQuery(operation).map((name) => [name, { variable: variableOf(name) }] as const)
  const given = [
    ...(path.length === 0 ? [] : [`path: ${members(path)}`]),
    ...(Object.keys(operation.query).length === 0 ? [] : [`query: ${query.length === 0 ? "{}" : members(query)}`]),
    ...(body === null ? [] : [`body: ${typeof operation.body?.example === "string" ? JSON.stringify(body) : body}`])
  ]
  return given.length === 0 ? "{}" : `{ ${given.join(", ")} }`
}

const typeScript = (request: Request): string => {
  const { operation } = request
  const call = operation.idempotent
    ? `overa.prepare("${operation.id}", ${clientInput(request)}, "${exampleKey}").send()`
    : `overa.call("${operation.id}", ${clientInput(request)})`
  return [
    `import { OveraClient } from "@overa/client"`,
    "",
    "const overa = new OveraClient({",
    `  baseUrl: process.env["OVERA_URL"] ?? "",`,
    `  authUrl: process.env["OVERA_AUTH_URL"] ?? "",`,
    `  clientId: process.env["OVERA_CLIENT_ID"] ?? "",`,
    `  clientSecret: process.env["OVERA_CLIENT_SECRET"] ?? ""`,
    "})",
    `console.log(await ${call})`
  ].join("\n")
}

/**
 * The operation's example as a program of four languages. The address, a token and the ids in paths come from the environment; the body is the one
 * that the contract shows.
 */
export const codeSamples = (operation: Operation): ReadonlyArray<CodeSample> => {
  const request = requestOf(operation)
  return [
    { lang: "Shell", label: "curl", source: curl(request) },
    { lang: "TypeScript", label: "TypeScript (@overa/client)", source: typeScript(request) },
    { lang: "PHP", label: "PHP", source: php(request) },
    { lang: "Python", label: "Python", source: python(request) }
  ]
}
