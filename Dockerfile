# One image for the API, the worker, the portal and the operator's command (docs/operations/install.md).
FROM node:24.21.0-bookworm-slim AS install
WORKDIR /overa
COPY package.json package-lock.json ./
COPY tools/installNote.mjs tools/
COPY domain/package.json domain/
COPY adapters/company-register/package.json adapters/company-register/
COPY adapters/identity/package.json adapters/identity/
COPY adapters/memory/package.json adapters/memory/
COPY adapters/postgres/package.json adapters/postgres/
COPY adapters/renderers/package.json adapters/renderers/
COPY adapters/spreadsheets/package.json adapters/spreadsheets/
COPY adapters/vpfr/package.json adapters/vpfr/
COPY client/package.json client/
COPY contract-tests/package.json contract-tests/
COPY hosts/admin/package.json hosts/admin/
COPY hosts/portal/package.json hosts/portal/
COPY hosts/rest-api/package.json hosts/rest-api/
COPY hosts/sandbox/package.json hosts/sandbox/
COPY hosts/vpfr-simulator/package.json hosts/vpfr-simulator/
COPY hosts/worker/package.json hosts/worker/
# Exactly the lockfile, without what only development needs; no package's own scripts run.
RUN npm ci --omit=dev --ignore-scripts --workspace=hosts/rest-api --workspace=hosts/worker --workspace=hosts/admin --workspace=hosts/portal
# The bill of materials of what was just installed.
RUN npm sbom --sbom-format cyclonedx --omit=dev > sbom.cdx.json

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /overa
COPY --from=install /overa ./
COPY LICENCE ./
COPY docs docs
COPY domain/src domain/src
COPY adapters adapters
COPY hosts/admin hosts/admin
COPY hosts/portal hosts/portal
COPY hosts/rest-api hosts/rest-api
COPY hosts/worker hosts/worker
# Nothing is written below: the hosts keep everything in the database.
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A heap of at most 384 MB and a young generation of three times 64: a sale is over before it would have to be moved to the old one. A tenth
# more sales, and the whole process stays under 500 MB (bench/sale-path.ts). Full collections are the longest waits where a signer takes its
# time: there are fewer when the old generation may double first, and one thread that marks leaves a core to the sales.
CMD ["node", "--max-old-space-size=384", "--min-semi-space-size=64", "--max-semi-space-size=64", "--heap-growing-percent=100", "--concurrent-marking-max-worker-num=1", "--conditions=@overa/source", "hosts/rest-api/src/main.ts"]
