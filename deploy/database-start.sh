#!/bin/sh
# Starts the database of compose.yaml. The private key belongs to whoever made it on the machine outside; PostgreSQL takes only its own
# or root's, so it gets a copy. Runs as root, as the image's own entrypoint does before it becomes postgres.
set -eu
printf %s "${DATABASE_IMAGE:-}" | grep -Eq '@sha256:[0-9a-f]{64}$' || {
  echo "OVERA_DATABASE_IMAGE must name the image with its digest, as postgres:18-bookworm@sha256:…" >&2
  exit 1
}
folder=/var/run/overa-tls
install -d -o postgres -g postgres -m 700 "$folder"
install -o postgres -g postgres -m 600 /run/secrets/database-certificate "$folder/server.crt"
install -o postgres -g postgres -m 600 /run/secrets/database-key "$folder/server.key"
exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file="$folder/server.crt" -c ssl_key_file="$folder/server.key"
