/** The V-PFR's codes that a submission can meet (V-PFR §4). */
export const rejectionCode = {
  taxLabelNotDefined: "2310",
  notConfigured: "2400",
  required: "2800",
  tooLong: "2801",
  tooShort: "2802",
  invalidLength: "2803",
  outOfRange: "2804",
  invalidValue: "2805",
  invalidFormat: "2806",
  listTooShort: "2807",
  listTooLong: "2808"
} as const

export type RejectionCode = (typeof rejectionCode)[keyof typeof rejectionCode]

export interface ModelError {
  /** A camelCase path with indices, `items[0].labels[0]`; empty where the fault belongs to no field. */
  readonly property: string
  readonly errors: ReadonlyArray<string>
}

/** The body of a 400: the faults of the request, by property, codes in ascending order. */
export const modelErrorsBody = (modelState: ReadonlyArray<ModelError>): string =>
  JSON.stringify({ message: "The request is invalid.", modelState })

/** Collects the faults of one request; every fault is reported, not only the first. */
export class ModelState {
  readonly #faults = new Map<string, Set<RejectionCode>>()

  add(property: string, code: RejectionCode): void {
    const codes = this.#faults.get(property) ?? new Set()
    this.#faults.set(property, codes.add(code))
  }

  get isValid(): boolean {
    return this.#faults.size === 0
  }

  errors(): ReadonlyArray<ModelError> {
    return [...this.#faults].map(([property, codes]) => ({ property, errors: [...codes].toSorted() }))
  }
}
