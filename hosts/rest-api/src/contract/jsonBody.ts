import type { DeclaredBody } from "../http/Operation.ts"
import { ref, type Shape, shapeName } from "@overa/host-kit/contract"

/** A JSON body of a shape. */
export const jsonBody = (shape: Shape, description: string, example: unknown): DeclaredBody => ({
  mediaType: "application/json",
  shape,
  schema: ref(shapeName(shape)),
  description,
  example
})
