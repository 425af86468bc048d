import { withErrorListener } from "@overa/host-kit"
import type { ParameterizedContext } from "koa"
import type { Readable } from "node:stream"
import { AssembledJson } from "../json/WrittenJson.ts"
import type { Answer } from "./Operation.ts"

/** Writes an answer. JSON is sent as UTF-8 with exact numbers; no cache may keep an API answer unless the answer allows it. */
export const writeAnswer = (context: ParameterizedContext, answer: Answer): void => {
  context.status = answer.status
  context.set("Cache-Control", "no-store")
  if ("json" in answer) {
    context.set("Content-Type", "application/json")
    if (answer.operationId !== undefined) context.state["operationId"] = answer.operationId
  } else if (answer.mediaType !== "") context.set("Content-Type", answer.mediaType)
  for (const [name, value] of Object.entries(answer.headers ?? {})) context.set(name, value)
  context.body = "json" in answer ? jsonOf(answer.json) : bodyOf(answer.bytes)
}

const jsonOf = (value: unknown): Buffer | string => value instanceof AssembledJson ? value.bytes() : JSON.stringify(value)

const bodyOf = (bytes: Uint8Array | string | Readable): Buffer | string | Readable => {
  if (typeof bytes === "string") return bytes
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : withErrorListener(bytes)
}
