import { type NoteKey, type WitnessAnswer, Witnesses, witnessKey, witnessRequestText } from "@overa/domain"
import { Effect, Layer } from "effect"
import { failureWords, shortWords } from "./failureWords.ts"

/** A witness and the address of its `add-checkpoint`. */
export interface WitnessPlace {
  readonly key: NoteKey
  readonly url: string
}

const defaultTimeoutMillis = 10_000
/** Of an answer so much is read: room for the lines of several keys. */
const answerBytes = 4_096

const beginningOf = async (answer: Response): Promise<string> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  for await (const part of answer.body ?? []) {
    parts.push(part as Uint8Array)
    size += (part as Uint8Array).length
    if (size >= answerBytes) break
  }
  return Buffer.concat(parts).subarray(0, answerBytes).toString("utf8")
}

const conflictSize = (text: string): number | null => {
  const size = /^(0|[1-9]\d{0,15})\n?$/.exec(text)?.[1]
  return size === undefined || !Number.isSafeInteger(Number(size)) ? null : Number(size)
}

const read = (status: number, text: string): WitnessAnswer => {
  if (status === 200) return { _tag: "Cosigned", text }
  const size = status === 409 ? conflictSize(text) : null
  return size === null ? { _tag: "Refused", status, reason: shortWords(text) } : { _tag: "Conflict", size }
}

const unreachable = (cause: unknown, timeoutMillis: number): WitnessAnswer => {
  const { cause: deeper, name } = cause as { readonly cause?: unknown; readonly name?: string }
  return { _tag: "Unreachable", cause: name === "TimeoutError" ? `no whole answer within ${timeoutMillis} ms` : failureWords(deeper ?? cause) }
}

const post = async (url: string, body: string, timeoutMillis: number): Promise<WitnessAnswer> => {
  // A redirect is an answer like any other: the checkpoint goes to the address that the operator has set, or nowhere.
  const answer = await fetch(url, { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(timeoutMillis), headers: { "Content-Type": "text/plain; charset=utf-8" } })
  return read(answer.status, await beginningOf(answer))
}

/** Asks witnesses over HTTP (C2SP tlog-witness). */
export const HttpWitnesses = {
  layer: (places: ReadonlyArray<WitnessPlace>, timeoutMillis = defaultTimeoutMillis): Layer.Layer<Witnesses> =>
    Layer.sync(Witnesses, () => {
      const urls = new Map(places.map(({ key, url }) => [witnessKey(key), url]))
      return Witnesses.of({
        known: places.map(({ key }) => key),
        ask: Effect.fn("Witnesses.ask")(function*(witness, request) {
          const url = urls.get(witnessKey(witness))
          if (url === undefined) return { _tag: "Unreachable", cause: "no address of this witness is set" } as const
          return yield* Effect.promise(() => post(url, witnessRequestText(request), timeoutMillis).catch((cause: unknown) => unreachable(cause, timeoutMillis)))
        })
      })
    })
}
