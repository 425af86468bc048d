/** What the command meets outside itself; a test gives its own. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** The next line of standard input, without its end; null when there is none. */
  readonly nextLine: () => Promise<string | null>
  /** Asks a person at a terminal; null where nobody is there to answer. */
  readonly ask: ((question: string, options?: { readonly hidden: boolean }) => Promise<string>) | null
  /** Who is logged in, where the operator says no name. */
  readonly userName: string
}
