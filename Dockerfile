# One image for the API, the worker, the portal and the operator's command (docs/operations/install.md).
# The digest of the base image is not written here: none could be looked up where this was written. It has to be given, and a name alone
# ends the build: docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
ARG NODE_IMAGE
FROM ${NODE_IMAGE} AS install
ARG NODE_IMAGE
RUN printf %s "$NODE_IMAGE" | grep -Eq '^node:24\.21\.0-bookworm-slim@sha256:[0-9a-f]{64}$' \
  || { echo "NODE_IMAGE must be node:24.21.0-bookworm-slim with its digest, not $NODE_IMAGE" >&2; exit 1; }
WORKDIR /overa
COPY package.json package-lock.json ./
COPY tools/installNote.mjs tools/
COPY domain/package.json domain/
COPY adapters/company-register/package.json adapters/company-register/
COPY adapters/webhooks/package.json adapters/webhooks/
COPY adapters/identity/package.json adapters/identity/
COPY adapters/mail/package.json adapters/mail/
COPY adapters/memory/package.json adapters/memory/
COPY adapters/postgres/package.json adapters/postgres/
COPY adapters/receipt-files/package.json adapters/receipt-files/
COPY adapters/renderers/package.json adapters/renderers/
COPY adapters/spreadsheets/package.json adapters/spreadsheets/
COPY adapters/vpfr/package.json adapters/vpfr/
COPY client/package.json client/
COPY orders/package.json orders/
COPY contract-tests/package.json contract-tests/
COPY hosts/admin/package.json hosts/admin/
COPY hosts/kit/package.json hosts/kit/
COPY hosts/portal/package.json hosts/portal/
COPY hosts/rest-api/package.json hosts/rest-api/
COPY hosts/sandbox/package.json hosts/sandbox/
COPY hosts/vpfr-simulator/package.json hosts/vpfr-simulator/
COPY hosts/witness/package.json hosts/witness/
COPY hosts/worker/package.json hosts/worker/
COPY verify/package.json verify/
# Exactly the lockfile, without what only development needs; no package's own scripts run.
RUN npm ci --omit=dev --ignore-scripts --workspace=hosts/rest-api --workspace=hosts/worker --workspace=hosts/admin --workspace=hosts/portal
# The bill of materials, from the lockfile: of a part of the workspaces npm writes none from what is installed, and with --omit=dev it leaves
# out what the hosts need and the root names for development too (effect).
RUN npm sbom --sbom-format cyclonedx --package-lock-only --workspace=hosts/rest-api --workspace=hosts/worker --workspace=hosts/admin --workspace=hosts/portal > sbom.cdx.json

# The hosts and the page at /verify, each as one file (docs/adr/0411): what bundles them does not reach the image.
FROM install AS bundles
RUN npm ci --ignore-scripts --workspace=verify --workspace=hosts/rest-api --workspace=hosts/worker --workspace=hosts/admin --workspace=hosts/portal
COPY domain/src domain/src
COPY adapters adapters
COPY hosts hosts
COPY verify verify
COPY tools/buildInstallation.ts tools/bundleHosts.ts tools/notices.ts tools/
RUN node --conditions=@overa/source tools/buildInstallation.ts

FROM ${NODE_IMAGE}
# The C library's pools keep what was freed in them: two, not one for each thread.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /overa
COPY --from=install /overa ./
COPY LICENCE ./
COPY docs docs
COPY domain/src domain/src
COPY adapters adapters
COPY hosts/admin hosts/admin
COPY hosts/kit hosts/kit
COPY hosts/portal hosts/portal
COPY hosts/rest-api hosts/rest-api
COPY hosts/worker hosts/worker
COPY verify verify
COPY --from=bundles /overa/verify/dist verify/dist
COPY --from=bundles /overa/hosts/dist hosts/dist
# Nothing is written below: the hosts keep everything in the database.
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A heap of at most 384 MB and a young generation of three times 64: a sale is over before it would have to be moved to the old one. A tenth
# more sales, and the whole process stays at 420 MB (bench/heap.ts). Full collections are the longest waits where a signer takes its
# time: there are fewer when the old generation may double first, and one thread that marks leaves a core to the sales.
CMD ["node", "--max-old-space-size=384", "--min-semi-space-size=64", "--max-semi-space-size=64", "--heap-growing-percent=100", "--concurrent-marking-max-worker-num=1", "hosts/dist/rest-api.js"]
