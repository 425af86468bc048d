/** The command's access to the outside; a test provides its own. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** The next line of standard input, without its end; null when there is none. */
  readonly nextLine: () => Promise<string | null>
  /** Asks a person at a terminal; null where no terminal is attached. */
  readonly ask: ((question: string, options?: { readonly hidden: boolean }) => Promise<string>) | null
  /** The name of the logged-in user, used where the operator gives no name. */
  readonly userName: string
}
