import type { Act, LeavingTaken, OrganizationId } from "@overa/domain"
import { leavingFiles, tarArchive } from "@overa/host-kit/leaving"
import { DateTime, Effect } from "effect"
import type { Reply } from "../../http/Reply.ts"
import type { Say } from "../../language/Language.ts"
import { moment } from "../../language/formats.ts"

/** Everything of an organization as one file, which is written while it is being downloaded. */
export const everythingReply = Effect.fnUntraced(function*(act: Act, organizationId: OrganizationId) {
  const { files } = yield* leavingFiles(act, organizationId)
  const now = yield* DateTime.now
  const reply: Reply = {
    _tag: "File",
    bytes: yield* tarArchive(files, new Date(DateTime.toEpochMillis(now))),
    mediaType: "application/gzip",
    fileName: `overa-${organizationId.slice(-8)}-${DateTime.formatIso(now).slice(0, 10)}.tar.gz`,
    inline: false
  }
  return reply
})

/** Why nothing is downloaded now. */
export const takenWords = (say: Say, { until }: LeavingTaken): string =>
  say(
    `Неко управо преузима све податке ове организације. Ако је то преузимање прекинуто, ново је могуће од ${moment(until)}.`,
    `Somebody is downloading everything of this organization now. If that download has stopped, a new one is possible from ${moment(until)}.`
  )

export const everythingTitle = ["Преузми све податке", "Download everything"] as const

export const everythingWarning = [
  "Архива садржи све рачуне, доказе, купце, производе и дневник активности, из оба окружења. Чувајте је као и саму пословну документацију. Власници добијају поруку о преузимању.",
  "The archive contains all receipts, proofs, buyers, products and the activity log, of both environments. Keep it as you keep the books. The owners get a message about the download."
] as const
