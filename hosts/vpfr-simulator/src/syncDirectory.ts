import { open } from "node:fs/promises"

/** Makes a created or renamed entry of a directory survive a power failure: flushing the file does not cover its name. */
export const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, "r")
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
