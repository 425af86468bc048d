#!/usr/bin/env node
import { existsSync } from "node:fs"

// What tools/needsNode.mjs writes into the other commands.
{
  const version = typeof process === "object" && process.versions && process.versions.node;
  const parts = String(version).split(".").map(Number);
  if (version && (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19))) {
    const sentence = "@overa/vpfr-simulator needs Node 22.19 or later; this is Node " + version + ".";
    process.stderr.write(sentence + "\n");
    process.exit(1);
  }
}

// An installed package is built; in the repository the sources run.
const built = new URL("../dist/main.js", import.meta.url)
await import(existsSync(built) ? built.href : new URL("../src/main.ts", import.meta.url).href)
