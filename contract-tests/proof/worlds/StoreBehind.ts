import type { MemoryOperations } from "@overa/adapter-memory"
import type {
  AdvanceCases,
  ChangeEvent,
  ClaimedWebhook,
  CounterGap,
  DeliveryOutbox,
  DeliveryStore,
  FiscalDocumentId,
  MailTransport,
  OperationHistory,
  OperationStore,
  ProformaTrainingDocuments,
  ReceiptDelivery,
  RefundStore,
  RestoreActs,
  StoreUnavailable,
  UnresolvedOperations,
  WebhookSender
} from "@overa/domain"
import type { Effect, Layer } from "effect"

/** The ports of a store that a world's hosts use. */
export type StorePorts = OperationStore | OperationHistory | UnresolvedOperations | RefundStore | AdvanceCases | ProformaTrainingDocuments

/** Puts the store back as it was. */
export type WayBack = Effect.Effect<void>

/** The store of a world without its faults: the memory store, or PostgreSQL. */
export interface StoreBehind {
  /** What is stored, as of the last look. */
  readonly memory: MemoryOperations["Service"]
  /** Brings `memory` up to date about the documents. */
  readonly look: Effect.Effect<void>
  /** The same about everything. */
  readonly lookAtAll: Effect.Effect<void>
  /** The ports as one process has them. */
  readonly ports: () => Layer.Layer<StorePorts>
  /** Runs a call of these ports with the clock that they have there. */
  readonly clocked: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Whether anything may go back: without that, `mark` need not remember anything. */
  readonly mayGoBack: (may: boolean) => Effect.Effect<void>
  /** Remembers what is stored now. */
  readonly mark: () => WayBack
  /** An operator's acts around a restore to an earlier point; null where the store has none. */
  readonly restore: RestoreActs["Service"] | null
  /** An operator acknowledges the items of a kind about a document. */
  readonly acknowledge: (id: FiscalDocumentId, kind: string) => Effect.Effect<void, StoreUnavailable>
  /** The counters of the series are counted on from here. */
  readonly countFrom: (series: string, accountedTo: number) => Effect.Effect<void>
  /** A worker notes the counters of new receipts. Without `must` a store may leave out a pass that would hardly find anything. */
  readonly noteCounters: (must: boolean) => Effect.Effect<void, StoreUnavailable>
  /** A worker raises the gaps; `begins` tells after which counter the counting of a series begins. */
  readonly checkCounters: (told: CounterWitness, must: boolean) => Effect.Effect<void, StoreUnavailable>
  readonly mail: MailBehind
  /** An operator's acts of erasure; null where the store has none. */
  readonly erasure: ErasureBehind | null
  /** Its events and webhooks; null where the store of these worlds has none. */
  readonly events: EventsBehind | null
  /** The store's own promises, of which a world is not the judge: broken ones in words. */
  readonly faults: Effect.Effect<ReadonlyArray<string>>
}

/** The deliveries of receipts of a store. */
export interface MailBehind {
  /** The shop has its receipts sent. */
  readonly open: Effect.Effect<void>
  /** The ports as one process has them. */
  readonly ports: () => Layer.Layer<DeliveryStore | DeliveryOutbox | MailTransport>
  /** Every delivery. */
  readonly all: Effect.Effect<ReadonlyArray<ReceiptDelivery>>
}

/** What one act has erased. */
export interface ErasedRows {
  readonly what: string
  /** True time. */
  readonly at: number
  readonly ids: ReadonlyArray<string>
  readonly olderThanDays: number
}

/** Erasure of personal data outside the signed record; each act answers from how many rows. */
export interface ErasureBehind {
  readonly recipients: (recipient: string | null, olderThanDays: number) => Effect.Effect<number, StoreUnavailable>
  readonly requests: (clientReference: string | null, olderThanDays: number) => Effect.Effect<number, StoreUnavailable>
  readonly buyers: (olderThanDays: number) => Effect.Effect<number, StoreUnavailable>
  /** What was erased, as the activity log says. */
  readonly done: Effect.Effect<ReadonlyArray<ErasedRows>>
  /** The rows of documents and deliveries as text, by id. */
  readonly rows: Effect.Effect<ReadonlyMap<string, string>>
}

export interface CounterWitness {
  readonly begins: (series: string, after: number) => void
  readonly raised: (gap: CounterGap) => void
  /** After a check: so many numbers are missing and not raised, and so many documents are in doubt. A store that cannot tell says nothing. */
  readonly waits: (missing: number, doubts: number) => void
}

/** The events of a store, and the one address that an owner has them sent to. */
export interface EventsBehind {
  /** Counts what may have changed something. */
  readonly writes: { readonly all: number }
  readonly open: (url: string) => Effect.Effect<void>
  /** The owner enters another address. */
  readonly move: (url: string) => Effect.Effect<void, StoreUnavailable>
  /** A worker queues what is new, and claims what is due. */
  readonly claim: Effect.Effect<ReadonlyArray<ClaimedWebhook>, StoreUnavailable>
  /** A worker sends one message and writes down how that ended; `committing` is where that commit may fail. */
  readonly send: (claimed: ClaimedWebhook, sender: WebhookSender["Service"], committing: <A>(commit: Effect.Effect<A, StoreUnavailable>) => Effect.Effect<A, StoreUnavailable>) => Effect.Effect<void, StoreUnavailable>
  /** Workers seal and number everything that is stored. */
  readonly catchUp: Effect.Effect<void>
  /** All events, as a caller reads them. */
  readonly all: Effect.Effect<ReadonlyArray<ChangeEvent>>
}
