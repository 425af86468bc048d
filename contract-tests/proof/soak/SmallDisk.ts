import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A file system of its own for the database, which can be made full. It needs the right to mount; without it the folder is null. */
export class SmallDisk {
  readonly folder: string | null
  private readonly megabytes: number

  private constructor(folder: string | null, megabytes: number) {
    this.folder = folder
    this.megabytes = megabytes
  }

  static mount(megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), "overa-soak-disk-"))
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder], { stdio: "ignore" })
      return new SmallDisk(folder, megabytes)
    } catch {
      rmSync(folder, { recursive: true })
      return new SmallDisk(null, megabytes)
    }
  }

  /** Leaves a few hundred kilobytes, so that it becomes full within the next sales, in the middle of whatever is written then. */
  fill(): void {
    const { bavail, blocks, bsize } = statfsSync(this.folder ?? "/")
    this.resize(`${Math.ceil(((blocks - bavail) * bsize) / 1_024) + 300}k`)
  }

  /** Gives the whole room back. */
  empty(): void {
    this.resize(`${this.megabytes}m`)
  }

  private resize(size: string): void {
    if (this.folder !== null) execFileSync("mount", ["-o", `remount,size=${size}`, this.folder])
  }

  unmount(): void {
    if (this.folder === null) return
    execFileSync("umount", [this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}
