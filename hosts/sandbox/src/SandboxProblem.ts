import { Schema } from "effect"

/** Why the sandbox cannot start or continue: one line for the person at the terminal. */
export class SandboxProblem extends Schema.TaggedError<SandboxProblem>()("SandboxProblem", { line: Schema.String }) {}
