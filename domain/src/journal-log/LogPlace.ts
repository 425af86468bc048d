/** One leaf of the journal's log, with the proof that the checkpoint's tree contains it. Source: Decisions §14, §17; RFC 6962 §2.1. */
export interface LogEntry {
  /** The leaf's position in the log, from 0. */
  readonly index: number
  /** The leaf as it was hashed: canonical JSON, whose UTF-8 bytes are the leaf's data. */
  readonly leaf: string
  /** The audit path from the leaf to the root (RFC 6962 §2.1.1): hashes of 32 bytes, the leaf's sibling first. */
  readonly inclusion: ReadonlyArray<Uint8Array>
}

/** Where a document's transitions stand in the log of its organization and environment. Source: Decisions §17 (proof members). */
export interface LogPlace {
  /** First line of the checkpoint; one for each organization and environment. */
  readonly origin: string
  /** The verifier key of the log as signed notes write it: `<name>+<key id in hex>+<base64>`. */
  readonly publicKey: string
  /** The signed checkpoint whose tree holds every entry (C2SP tlog-checkpoint), with its last line feed. */
  readonly checkpoint: string
  /** The document's sealed transitions in the order of the log, all contained in this one checkpoint. */
  readonly entries: ReadonlyArray<LogEntry>
}
