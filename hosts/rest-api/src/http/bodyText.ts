import { decodeCsvText } from "@overa/adapter-spreadsheets"
import { RequestFaults } from "@overa/domain"
import { TransportRefusal } from "@overa/host-kit"
import { Result } from "effect"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** The body as text: valid UTF-8, one leading byte-order mark skipped (Decisions §1). */
export const textOfBody = (bytes: Uint8Array): Result.Result<string, TransportRefusal> => {
  try {
    return Result.succeed(strictUtf8.decode(bytes))
  } catch {
    return Result.fail(new TransportRefusal({ code: "MALFORMED_JSON", message: "The body is not valid UTF-8." }))
  }
}

/**
 * A CSV file's text. A file in another character set would be read with wrong letters, so it is refused with instructions how to save it (Decisions
 * §11).
 */
export const textOfCsv = (bytes: Uint8Array): Result.Result<string, RequestFaults> =>
  Result.mapError(decodeCsvText(bytes), (message) => new RequestFaults({ faults: [{ pointer: "", key: "Body", message }] }))
