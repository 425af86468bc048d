import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { parse } from "yaml"
import type { ApiAnswer, ApiRequest } from "./ApiClient.ts"

/** Holds answers to an OpenAPI document. */
export interface ContractChecker {
  /** Throws when the document does not declare this answer to this request. */
  readonly check: (request: Pick<ApiRequest, "method" | "path">, answer: ApiAnswer) => void
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** Answers to paths and methods that are not in the document: only these need no declaration. */
const undeclaredStatuses = new Set([404, 405])

/** Headers that a caller acts on. */
const declaredHeaders = ["Location", "Retry-After", "Idempotency-Replayed"]

/** Compiles a schema whose references lead to the components that `ajv` has under the id `contract`. */
export const compiledIn = (ajv: Ajv2020, schema: object): ValidateFunction =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll("\"#/components", "\"contract#/components")) as object)

export const contractChecker = (yaml: string): ContractChecker => {
  const document = parse(yaml) as OpenApi
  const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 })
  addFormats.default(ajv)
  ajv.addSchema({ $id: "contract", components: document.components })
  const routes = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
  }))
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (name: string, schema: object): ValidateFunction => {
    const known = validators.get(name)
    if (known !== undefined) return known
    const made = compiledIn(ajv, schema)
    validators.set(name, made)
    return made
  }
  return {
    check: (request, answer) => {
      const route = routes.find(({ pattern }) => pattern.test(request.path.split("?")[0] ?? ""))
      const operation = route === undefined ? undefined : document.paths[route.path]?.[request.method.toLowerCase()]
      const name = `${request.method} ${route?.path ?? request.path} ${answer.status}`
      if (answer.headers.get("x-request-id") === null) throw new Error(`${name}: no X-Request-Id`)
      if (route === undefined || operation === undefined) {
        if (undeclaredStatuses.has(answer.status)) return
        throw new Error(`${name}: not in the contract`)
      }
      const response = operation.responses[String(answer.status)]
      if (response === undefined) throw new Error(`${name}: this status is not in the contract. ${answer.text.slice(0, 300)}`)
      for (const header of declaredHeaders) {
        if (answer.headers.has(header) && response.headers?.[header] === undefined) throw new Error(`${name}: the header ${header} is not in the contract`)
      }
      checkBody(name, response, answer, validatorOf)
    }
  }
}

const checkBody = (
  name: string,
  response: Response,
  answer: ApiAnswer,
  validatorOf: (name: string, schema: object) => ValidateFunction
): void => {
  const mediaType = (answer.headers.get("content-type") ?? "").split(";")[0] ?? ""
  const declared = response.content?.[mediaType]
  if (declared === undefined) {
    if (answer.text === "" && Object.keys(response.content ?? {}).length === 0) return
    throw new Error(`${name}: the media type ${mediaType} is not in the contract`)
  }
  if (answer.json === null) return
  const valid = validatorOf(`${name} ${mediaType}`, declared.schema)
  if (!valid(answer.json)) throw new Error(`${name}: ${JSON.stringify(valid.errors?.slice(0, 5))} in ${answer.text.slice(0, 500)}`)
}
