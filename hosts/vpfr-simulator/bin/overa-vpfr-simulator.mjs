#!/usr/bin/env node
import { existsSync } from "node:fs"

// An installed package is built; in the repository the sources run.
const built = new URL("../dist/main.js", import.meta.url)
await import(existsSync(built) ? built.href : new URL("../src/main.ts", import.meta.url).href)
