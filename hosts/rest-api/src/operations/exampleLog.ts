import { exampleDocument } from "./exampleDocument.ts"

const origin = "overa.journal/9f1c6a52-9a3f-4a8e-8a51-1f0f1a0e5c11/4f2f3c9e-6d0c-4b7a-9b8e-0d2a8f3b6c55/sandbox"

/** A checkpoint as it is answered: a signed note. */
export const exampleCheckpoint =
  `${origin}\n4\nnCUlnbGp1ScqtbFPBv9JlS7C2+S8KqGz0ZQ/0U1m1jE=\n\n— ${origin.split("/").slice(0, 2).join("/")} x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`

const hashes = ["5v6DY6VyHHTWyE9kk2h3yGZnG9UdR8d6b8q9Vw3yKfE=", "+sVCA+fMaWzw38tCySodm9uvcK2fliG9jZj2YvAOPBI="]

const leaf = {
  actor: "api:host-1",
  answer: "9c2b8a8a8d0c2a7d5a7cf9c2a1e0f3b4c5d6e7f8091a2b3c4d5e6f708192a3b4",
  at: exampleDocument.updatedAt,
  attempt: 1,
  cause: "signed",
  documentId: exampleDocument.id,
  environment: "sandbox",
  from: "SUBMITTING",
  invoiceNumber: exampleDocument.pfr?.invoiceNumber ?? null,
  organizationId: "4f2f3c9e-6d0c-4b7a-9b8e-0d2a8f3b6c55",
  position: 4,
  record: "1d6f4a0b3c2e5d7f8a9b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7",
  reference: null,
  request: "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
  requestId: "0198f0aa11112222333344445555666a",
  result: "7f6e5d4c3b2a190807f6e5d4c3b2a190807f6e5d4c3b2a190807f6e5d4c3b2a1",
  to: "FISCALIZED",
  version: 1
}

/** Where a document is in the log. */
export const exampleLogPlace = {
  origin,
  publicKey: `${origin.split("/").slice(0, 2).join("/")}+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW`,
  checkpoint: exampleCheckpoint,
  entries: [{ index: 3, leaf: JSON.stringify(leaf), inclusion: hashes }]
}

/** A proof that a log only grew. */
export const exampleConsistency = { from: 2, to: 4, proof: hashes.slice(0, 1) }
