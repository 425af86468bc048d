import type { DeclaredBody } from "../http/Operation.ts"
import { ref } from "./JsonSchema.ts"
import { type Shape, shapeName } from "./shapeSchemas.ts"

/** A JSON body of a shape. */
export const jsonBody = (shape: Shape, description: string, example: unknown): DeclaredBody => ({
  mediaType: "application/json",
  shape,
  schema: ref(shapeName(shape)),
  description,
  example
})
