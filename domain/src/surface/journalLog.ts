/** The log of the journal: its tree, its proofs, its signed checkpoints. */
export { type Checkpoint, checkpointText, logKeyOf, openCheckpoint, readCheckpoint } from "../journal-log/Checkpoint.ts"
export {
  type AskedWitness, cosignatureIn, judgeWitnessAnswer, type WitnessAnswer, type WitnessResult, witnessResults, type WitnessVerdict
} from "../journal-log/askingWitness.ts"
export { cosign, cosignedAt, readWitnessKey, witnessKey } from "../journal-log/cosignature.ts"
export { judgeKept, keptSizeOf, type KeptVerdict, originOfNote, type PresentLog } from "../journal-log/keptCheckpoint.ts"
export { judgeWitnessing, readWitnessRequest, type Seen, type WitnessDecision, type WitnessRequest, witnessRequestText } from "../journal-log/witnessing.ts"
export { type ConsistencyQuery, readConsistencyQuery } from "../journal-log/consistencyQuery.ts"
export { type ErasedDigest, type Erasure, erasureText, openErasure, readErasure } from "../journal-log/ErasureNote.ts"
export { Frontier } from "../journal-log/frontier.ts"
export type { LogFinding, LogFindingKind, LogReport } from "../journal-log/LogFinding.ts"
export type { LogEntry, LogPlace } from "../journal-log/LogPlace.ts"
export { bearsAnswer, type JournalLeaf, type LeafDigests, leafText } from "../journal-log/JournalLeaf.ts"
export {
  appendLeaves, edgePlaces, packTile, rootOfTiles, subtreeHash, type Tile, tileHeight, tileOf, type TilePlace, unpackTile
} from "../journal-log/logTiles.ts"
export {
  completeSubtrees, emptyRoot, foldSubtrees, hashLength, leafHash, nodeHash, rootOf, type Sha256, type Subtree, type TreeHash
} from "../journal-log/merkle.ts"
export { sealingPauseMillis, sealingRest, type SealingWork } from "../journal-log/sealingRest.ts"
export {
  base64Of, hexOf, type NoteKey, noteKeyId, noteKeyOf, type NoteVerifier, openNote, readNote, readVerifierKey, signedNote, signNote, verifierKey
} from "../journal-log/signedNote.ts"
export { consistencyRanges, inclusionRanges, type LeafRange, verifyConsistency, verifyInclusion } from "../journal-log/treeProofs.ts"
