import { Data } from "effect"
import type { ElsewhereFaultAt } from "./settleElsewhere.ts"

/** Files of another ESIR with faults: nothing of them was stored. `count` may be more than are listed. */
export class ElsewhereImportRefused extends Data.TaggedError("ElsewhereImportRefused")<{
  readonly faults: ReadonlyArray<ElsewhereFaultAt>
  readonly count: number
}> {}
