import type { Conclusion } from "@overa/domain"

type About = Pick<Conclusion, "organizationId" | "operationId" | "workflow" | "attempt" | "at" | "actor" | "attemptOutcome">

/** A document of a case is concluded in a commit of another one, without being sent. */
export const notSent = (about: About, failureCode: NonNullable<Conclusion["failureCode"]>): Conclusion => ({
  ...about,
  event: "notSent",
  failureCode,
  rejection: null,
  answer: null,
  answerText: null,
  buyerDetails: null,
  nextCheckAfterMillis: null,
  attention: []
})
