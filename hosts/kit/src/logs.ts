/** Where log lines go; the process decides (standard output in production, memory in tests). */
export type WriteLine = (line: string) => void
