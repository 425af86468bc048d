import { type JsonSchema, list, object, text } from "./JsonSchema.ts"

/** Error bodies. Source: Spec, Error bodies; Decisions §1. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  ErrorBody: {
    type: "object",
    description: "A rule of the service or of the V-PFR refused; further members depend on the code.",
    properties: {
      code: text("Which rule; stable. The table of all codes says what to do."),
      message: text("For people.")
    },
    required: ["code"],
    additionalProperties: true
  },
  Problem: object("RFC 9457 problem: the shape of the request is wrong; every fault at once.", {
    type: text("Kind of problem.", { format: "uri-reference" }),
    title: text("For people."),
    status: { type: "integer", enum: [422], description: "The HTTP status." },
    errors: {
      type: "object",
      description: "Messages by field: dotted PascalCase paths without indices, `totals` for the total check.",
      additionalProperties: list("", { type: "string" })
    },
    details: list("Each fault at its exact place.", object("One fault.", {
      pointer: text("RFC 6901 pointer into the body; empty for headers, query and the body as a whole."),
      message: text("What is wrong.")
    }))
  })
}
