/**
 * A number of the request body that the service will not take: more than 15 significant digits (zeros trimmed), or out of bounds
 * in exponent form (Decisions §1). The host puts it where the number stood, so that the fault is reported at its place.
 *
 * @example new UnrepresentableNumber("0.12345678901234567")
 */
export class UnrepresentableNumber {
  /** The number as it was written. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
