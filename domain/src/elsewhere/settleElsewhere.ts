import { Result } from "effect"
import { type ElsewhereFault, type ElsewhereReceipt, mergeElsewhere } from "./ElsewhereReceipt.ts"

/** Where a piece stands: its file, and the line on which it begins; 0 for the file as a whole. */
export interface ElsewherePlace {
  readonly file: string
  readonly line: number
}

/** A piece of a file as read. */
export interface FoundElsewhere extends ElsewherePlace {
  readonly read: Result.Result<ElsewhereReceipt, ElsewhereFault>
}

export interface ElsewhereFaultAt extends ElsewherePlace {
  readonly fault: ElsewhereFault
}

/** What an import did, receipt by receipt. */
export interface ElsewhereImport {
  /** Receipts that were not known. */
  readonly added: number
  /** Known receipts of which the files told more: the text besides the link, or the link besides the text. */
  readonly completed: number
  /** Pieces that told nothing new. */
  readonly known: number
}

/** The most faults that an answer lists; all are counted. */
export const mostElsewhereFaults = 1_000

/** What an import has come to so far; it grows batch by batch. */
export class ElsewhereTally {
  readonly #added = new Set<string>()
  readonly #completed = new Set<string>()
  readonly #faults: Array<ElsewhereFaultAt> = []
  #known = 0
  #faultCount = 0

  get result(): ElsewhereImport {
    return { added: this.#added.size, completed: this.#completed.size, known: this.#known }
  }

  get faults(): { readonly faults: ReadonlyArray<ElsewhereFaultAt>; readonly count: number } {
    return { faults: this.#faults, count: this.#faultCount }
  }

  refuse({ file, line }: ElsewherePlace, fault: ElsewhereFault): void {
    this.#faultCount += 1
    if (this.#faults.length < mostElsewhereFaults) this.#faults.push({ file, line, fault })
  }

  add(pfrNumber: string): void {
    this.#added.add(pfrNumber)
  }

  /** A receipt that this import itself has added stays one that was added. */
  complete(pfrNumber: string): void {
    if (!this.#added.has(pfrNumber)) this.#completed.add(pfrNumber)
  }

  again(): void {
    this.#known += 1
  }
}

/** What a tenant's store holds of the numbers of a batch. */
export interface StoredElsewhere {
  /** Receipts of the taxpayer that were issued elsewhere. */
  readonly receipts: ReadonlyMap<string, ElsewhereReceipt>
  /** Documents of this service, by their ids. */
  readonly own: ReadonlyMap<string, string>
  /** Receipts issued elsewhere of the organization's other taxpayers, whose ids these are. */
  readonly others: ReadonlyMap<string, string>
}

const tellsMore = (merged: ElsewhereReceipt, known: ElsewhereReceipt): boolean =>
  merged.journal !== known.journal || merged.verificationUrl !== known.verificationUrl || merged.standing !== known.standing

/**
 * What a batch changes: each receipt as it is to be stored. A document of this service is never taken for one issued elsewhere. The same batch once more
 * changes nothing.
 */
export const settleElsewhere = (batch: ReadonlyArray<FoundElsewhere>, { others, own, receipts }: StoredElsewhere, tally: ElsewhereTally): ReadonlyArray<ElsewhereReceipt> => {
  const changed = new Map<string, ElsewhereReceipt>()
  const settle = (found: FoundElsewhere, receipt: ElsewhereReceipt): void => {
    const { pfrNumber } = receipt
    const id = own.get(pfrNumber)
    if (id !== undefined) return tally.refuse(found, { _tag: "OwnDocument", pfrNumber, id })
    const taxpayerId = others.get(pfrNumber)
    if (taxpayerId !== undefined) return tally.refuse(found, { _tag: "OtherTaxpayer", pfrNumber, taxpayerId })
    const known = changed.get(pfrNumber) ?? receipts.get(pfrNumber)
    if (known === undefined) {
      tally.add(pfrNumber)
      return void changed.set(pfrNumber, receipt)
    }
    const merged = mergeElsewhere(known, receipt)
    if (Result.isFailure(merged)) return tally.refuse(found, merged.failure)
    if (!tellsMore(merged.success, known)) return tally.again()
    tally.complete(pfrNumber)
    changed.set(pfrNumber, merged.success)
  }
  for (const found of batch) {
    if (Result.isSuccess(found.read)) settle(found, found.read.success)
    else tally.refuse(found, found.read.failure)
  }
  return [...changed.values()]
}

/** The numbers that a batch tells of. */
export const numbersIn = (batch: ReadonlyArray<FoundElsewhere>): ReadonlyArray<string> =>
  [...new Set(batch.flatMap(({ read }) => Result.isSuccess(read) ? [read.success.pfrNumber] : []))]
