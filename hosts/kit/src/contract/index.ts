export { answer, type Member, type Members, orNull, schemasOf, writerOf } from "./answer.ts"
export { documentSchemas, fiscalDocumentJson } from "./documentSchemas.ts"
export {
  always, decimal, flag, integer, type JsonSchema, list, nullable, object, oneOfObjects, oneOfTexts, ref, text, utcTime, uuid
} from "./JsonSchema.ts"
export { memberSchema, type Shape, shapeName, shapeSchemas } from "./shapeSchemas.ts"
