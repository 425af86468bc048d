import { Cosignatures, type Cosignature, type LogToCosign, type Tenant } from "@overa/domain"
import { Clock, Context, Effect, Layer } from "effect"

/** The logs that there are, with their sizes. */
export class MemoryLogSizes extends Context.Service<MemoryLogSizes, () => ReadonlyArray<readonly [tenant: Tenant, size: number]>>()(
  "@overa/adapter-memory/MemoryLogSizes"
) {}

interface Kept {
  askedAt: number
  witnessed: { readonly size: number; readonly note: string } | null
  readonly cosigned: Map<string, Cosignature & { readonly size: number }>
}

const minuteMillis = 60_000

/** The cosignatures of the logs in memory. */
export const layerCosignatures: Layer.Layer<Cosignatures, never, MemoryLogSizes> = Layer.effect(
  Cosignatures,
  Effect.gen(function*() {
    const sizes = yield* MemoryLogSizes
    const logs = new Map<string, Kept>()
    const raised = new Set<string>()
    const of = ({ environment, organizationId }: Tenant): Kept => {
      const key = `${organizationId}/${environment}`
      const kept = logs.get(key) ?? { askedAt: Number.NEGATIVE_INFINITY, witnessed: null, cosigned: new Map() }
      logs.set(key, kept)
      return kept
    }
    const isDue = (tenant: Tenant, size: number, witnesses: ReadonlyArray<string>, now: number): boolean => {
      const { askedAt, cosigned, witnessed } = of(tenant)
      const isShown = askedAt > now - minuteMillis && askedAt <= now
      return size > 0 && !isShown && (witnessed?.size !== size || witnesses.some((witness) => cosigned.get(witness)?.size !== size))
    }
    return Cosignatures.of({
      take: (witnesses, limit) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const due = sizes().filter(([tenant, size]) => isDue(tenant, size, witnesses, now)).toSorted(([a], [b]) => of(a).askedAt < of(b).askedAt ? -1 : 1)
          return due.slice(0, limit).map(([tenant]): LogToCosign => {
            const kept = of(tenant)
            kept.askedAt = now
            return { tenant, sizes: new Map([...kept.cosigned.values()].filter(({ witness }) => witnesses.includes(witness)).map(({ size, witness }) => [witness, size])) }
          })
        }),
      keep: (tenant, { note, size }, cosigned, witnesses) =>
        Effect.sync(() => {
          const kept = of(tenant)
          for (const one of cosigned) if ((kept.cosigned.get(one.witness)?.size ?? 0) <= size) kept.cosigned.set(one.witness, { ...one, size })
          const lines = witnesses.map((witness) => kept.cosigned.get(witness)).flatMap((one) => (one?.size === size ? [one.line] : []))
          if (witnesses.length === 0 || lines.length < witnesses.length || (kept.witnessed?.size ?? 0) > size) return
          kept.witnessed = { size, note: note + lines.join("") }
        }),
      newest: (tenant) => Effect.sync(() => of(tenant).witnessed?.note ?? null),
      raise: ({ organizationId }, { detail, kind }) =>
        Effect.sync(() => {
          const key = JSON.stringify([organizationId, kind, detail])
          const isNew = !raised.has(key)
          raised.add(key)
          return isNew
        })
    })
  })
)
