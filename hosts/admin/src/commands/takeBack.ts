import { signerModuli } from "@overa/adapter-vpfr"
import { InstallationOversight, JournalLog, keptIn, type KeptKnowledge, readKeptFile, readVerifierKey, takeBack, type TakenBack, type Tenant } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { fileText } from "../input/readFiles.ts"
import { table } from "../output/Outcome.ts"
import { asAct } from "./describe.ts"

/** An item that a caller has kept, and where it was found. */
interface Given {
  readonly name: string
  readonly value: unknown
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // JSON.parse has no other way to say "no JSON"
  }
}

/** One JSON value, a list of them, or one per line. A line that is not JSON is kept, so that it is reported. */
const valuesIn = (name: string, text: string): ReadonlyArray<Given> => {
  const whole = jsonOf(text)
  const values = whole === undefined ? text.split("\n").filter((line) => line.trim() !== "").map(jsonOf) : Array.isArray(whole) ? whole : [whole]
  const named = values.length === 1 ? [{ name, value: values[0] }] : values.map((value, at) => ({ name: `${name}:${at + 1}`, value }))
  return named.flatMap((given) => keptIn(given.value).map((value) => ({ name: given.name, value })))
}

const knowledgeOf = Effect.fnUntraced(function*(tenant: Tenant) {
  const log = yield* JournalLog
  const { origin } = yield* log.checkpoint(tenant)
  const keys = (yield* log.verifierKeys).map(readVerifierKey).filter((key) => key !== null)
  const moduli = signerModuli(yield* (yield* InstallationOversight).referenceKeys, tenant.environment)
  return { tenant, log: { origin, keys }, signers: Array.from(moduli, ([name, modulus]) => ({ name, modulus })) } satisfies KeptKnowledge
})

const toldBeside = "if it may be signed, another refund of the same receipt is put on the attention list, and a closing or cancellation of its advance case too"

const sentences: Readonly<Record<TakenBack["result"], string>> = {
  PUT_BACK: "put back",
  ATTEMPT_PUT_BACK: "its attempt is put back; the database had the document without it",
  KEPT: "its attempt is kept; it is put back as soon as the document is made again: when the receipt is found that it refers to, or when its closing is repeated under the same key, unless this key is held; any other closing or cancellation of the same advance case is put on the attention list, and is not sent until the item is acknowledged; the key of the refund that a lost copy repeats is held, or, where the refund is stored without its receipt, an attention item is raised",
  KNOWN: "was there already",
  KEY_HELD: "its key is held since an earlier restore; the receipt itself is not in the database",
  UNRESOLVED: "not known yet: the document's outcome is still searched for; take it back again when nothing is unresolved, or take back its proof",
  UNSIGNED: "not put back: it may have a receipt that the database does not know; if it still has none when the restore is ended, or when its closing is repeated, it goes to the attention list, and nothing is sent until the item is acknowledged",
  KEY_TAKEN: `not put back: another operation has its key; ${toldBeside}`,
  NO_RECEIPT: "there was no receipt; its key may be used again"
}

const told = ({ as, result }: TakenBack): string =>
  (result === "PUT_BACK" && as === "Key" ? `its key will be held when the restore is ended; the receipt itself is not in the database; ${toldBeside}` : sentences[result])

interface Line {
  readonly file: string
  readonly document: string | null
  readonly result: TakenBack["result"] | "REFUSED"
  readonly as: TakenBack["as"]
  readonly detail: string
}

const refusedLine = (file: string, document: string | null, detail: string): Line => ({ file, document, result: "REFUSED", as: "Nothing", detail })

const failures: ReadonlySet<Line["result"]> = new Set(["REFUSED", "KEY_TAKEN", "UNRESOLVED", "UNSIGNED"])

/** The exit code when a file was refused: different from that of a command that failed. */
const someRefused = 3

/** `restore take-back`: imports kept files of operations that the restore lost. */
export const takeBackCommand = (desk: Desk): Command =>
  asAct(
    new Command("take-back").description("takes operations back that the restore forgot, from proofs and answers that the callers have kept. Ends with 3 where one is not believed")
      .argument("<organization>").argument("<files...>", "JSON: a proof, a document or a workflow as the API answered it, a list of them, or one a line")
      .option("--environment <name>", "sandbox or production (required)")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const environment = yield* input.choice("--environment", input.text("environment") ?? "", ["sandbox", "production"])
      const act = yield* input.act
      const knowledge = yield* knowledgeOf({ organizationId, environment })
      const lines: Array<Line> = []
      for (const path of input.argumentsFrom(1)) {
        for (const { name, value } of valuesIn(path, yield* fileText(path))) {
          const kept = readKeptFile(value)
          lines.push(kept === null ? refusedLine(name, null, "neither a proof nor a document, and no workflow with documents") : yield* takeBack(act, kept, knowledge).pipe(
            Effect.map((taken): Line => ({ file: name, document: kept.document.id, result: taken.result, as: taken.as, detail: told(taken) })),
            Effect.catchTag("KeptFileRefused", ({ reasons }) => Effect.succeed(refusedLine(name, kept.document.id, reasons.join("; "))))
          ))
        }
      }
      const count = (result: Line["result"]) => lines.filter((line) => line.result === result).length
      const failed = lines.filter((line) => failures.has(line.result)).length
      const text = [
        table(["FILE", "DOCUMENT", "RESULT"], lines.map(({ detail, document, file, result }) => [file, document ?? "-", result === "REFUSED" ? `refused: ${detail}` : detail]), "Nothing was given."),
        `${count("PUT_BACK") + count("ATTEMPT_PUT_BACK") + count("KEPT")} put back or kept, ${count("KNOWN")} known, ${failed} not. The worker searches for the receipts of what was put back.`
      ].join("\n")
      return { text, json: { items: lines }, exitCode: failed > 0 ? someRefused : 0 }
    })
  ))
