import { Effect, Stream } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { GatheredPiece } from "../elsewhere/gatherReceipts.ts"
import { type ElsewhereKnowledge, readElsewhere } from "../elsewhere/readElsewhere.ts"
import type { FoundElsewhere } from "../elsewhere/settleElsewhere.ts"
import { ElsewhereReceipts } from "../ports/ElsewhereReceipts.ts"
import { KnownSigners } from "../ports/TaxAuthority.ts"
import { TenancyDirectory } from "../ports/TenancyDirectory.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { TaxpayerNotFound } from "../tenancy/errors.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import { signedTin } from "../verification/pfrCodes.ts"

/** A file of another ESIR: its name and its pieces, which may be asked for more than once. */
export interface ElsewhereFile {
  readonly name: string
  readonly pieces: Stream.Stream<GatheredPiece>
}

/** Receipts stored at once; PDFs are read slowly, and the database waits for no batch longer than this. */
const longestBatch = "2 seconds"
const batchSize = 200

const foundIn = ({ name, pieces }: ElsewhereFile, knowledge: ElsewhereKnowledge): Stream.Stream<FoundElsewhere> =>
  Stream.map(pieces, (piece) => ({ file: name, line: piece.line, read: readElsewhere(piece, knowledge) }))

/**
 * Imports what another ESIR has issued for a taxpayer: each link decoded, its signature checked against the known signers, each text read and its seller
 * compared. All of it or nothing; the same files once more change nothing. Fails with `ElsewhereImportRefused`, which lists each fault with its file and line.
 */
export const importElsewhere = Effect.fn("importElsewhere")(function*<E>(
  act: Act,
  tenant: Tenant,
  taxpayerId: TaxpayerId,
  files: Stream.Stream<ElsewhereFile, E>
) {
  const taxpayer = (yield* (yield* TenancyDirectory).taxpayers(tenant)).find(({ id }) => id === taxpayerId)
  if (taxpayer === undefined) return yield* new TaxpayerNotFound({ taxpayerId })
  const { signers, verificationRoot } = (yield* KnownSigners).inEnvironment(tenant.environment)
  const { taxIdentifier } = taxpayer
  const knowledge: ElsewhereKnowledge = { taxIdentifier, tin: signedTin(taxIdentifier, tenant.environment), signers, verificationRoot }
  const found = Stream.flatMap(files, (file) => foundIn(file, knowledge))
  return yield* (yield* ElsewhereReceipts).importAll(act, tenant, taxpayerId, Stream.groupedWithin(found, batchSize, longestBatch))
})
