/**
 * A value of a program. A text may have references to earlier values in braces: `{order}/sale`; a text that is one reference is that value.
 * The member `...` of an object takes over the members of another value.
 */
export type Value = string | number | boolean | ReadonlyArray<Value> | { readonly [name: string]: Value }
export type Members = Readonly<Record<string, Value>>

/** One request: the operation's name in the contract, and what it is given. `name` keeps its answer. */
export interface Call {
  readonly name?: string
  readonly operation: string
  readonly path?: Members
  readonly query?: Members
  readonly body?: Value
  /** What the request's key is made of. */
  readonly key?: string
}

export type Step =
  | { readonly note: string }
  | { readonly call: Call }
  /** Keeps a member of an answer, and ends with a sentence where it is not there. */
  | { readonly take: string; readonly from: string; readonly otherwise: string }
  | { readonly make: string; readonly value: Members }
  | { readonly say: string }
  /** A request that a rule refuses: prints its code. */
  | { readonly refused: Call }
  | { readonly each: string; readonly of: string; readonly steps: ReadonlyArray<Step> }
  /** Every element of a list, page by page. */
  | { readonly pages: string; readonly call: Call; readonly steps: ReadonlyArray<Step> }
  | { readonly read: string; readonly file: string }
  | { readonly save: string; readonly file: string }

/** What the commands of a guide do, as one program for each language. */
export interface Story {
  /** The guide, without its ending. */
  readonly guide: string
  /** What a reader should know before: sentences. */
  readonly about: string
  /** What the program prints, in every language; `…` at the end where the rest depends on what happened before. */
  readonly prints: string
  /** The settings are those of another credential. */
  readonly credential?: "management"
  readonly steps: ReadonlyArray<Step>
}

/** A text's parts: even places are text, odd ones references. */
export const partsOf = (text: string): ReadonlyArray<string> => text.split(/\{([^{}]+)\}/)

/** The reference that a text is; null where it is more than one reference. */
export const referenceOf = (text: string): string | null => /^\{([^{}]+)\}$/.exec(text)?.[1] ?? null

/** Names of a reference: the value and its members; a number is a place in a list, and what may be missing ends with `?`. */
export const namesOf = (reference: string): ReadonlyArray<string> => reference.split(".")

/** Every step, those inside loops included. */
export const everyStep = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.flatMap((step) => "steps" in step ? [step, ...everyStep(step.steps)] : [step])

/** Every request of a story. */
export const callsOf = ({ steps }: Story): ReadonlyArray<Call> =>
  everyStep(steps).flatMap((step) => "call" in step ? [step.call] : "refused" in step ? [step.refused] : [])
