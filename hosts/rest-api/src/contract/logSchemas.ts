import { integer, type JsonSchema, list, object, ref, text } from "@overa/host-kit/contract"

const hash = text("A hash of 32 bytes, in base64.")

/** The journal's log. Source: Decisions §14, §17; RFC 6962 §2.1; C2SP tlog-checkpoint. */
export const logSchemas: Readonly<Record<string, JsonSchema>> = {
  LogPlace: object("Where a document's transitions stand in the log.", {
    origin: text("Which log: the first line of the checkpoint, different for each organization and environment."),
    publicKey: text("The verifier key of the checkpoint's signature: `<name>+<key id>+<base64>`."),
    checkpoint: text("The signed checkpoint that all proofs lead to."),
    entries: list("The transitions that are in the log, oldest first; a transition is in it some seconds after it happened.", ref("LogEntry"))
  }),
  LogEntry: object("One transition in the log.", {
    index: integer("Its place in the log, from 0.", { minimum: 0 }),
    leaf: text("The leaf: JSON, hashed as these very bytes in UTF-8."),
    inclusion: list("The proof that the leaf is in the checkpoint's tree, from the leaf up (RFC 6962 §2.1.1).", hash)
  }),
  LogConsistency: object("A proof that the log of one size begins with the log of another.", {
    from: integer("The smaller size.", { minimum: 0 }),
    to: integer("The greater size.", { minimum: 0 }),
    proof: list("The hashes (RFC 6962 §2.1.2); none from size 0.", hash)
  })
}
