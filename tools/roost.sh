#!/bin/sh
# Runs a command of Roost as the server's user, with the server's environment, from wherever it is called. A variable that
# the caller has set counts before the one in the file: DATABASE_URL=... roost status asks that database.
user=roost
environment=/etc/roost/roost.env
node=/usr/bin/node
server=/opt/roost/server/main.ts

if [ "$(id -un)" != "$user" ]; then
  if [ "$(id -u)" != 0 ]; then
    echo "Run this as root, or as the user $user: sudo roost $*" >&2
    exit 1
  fi
  exec runuser -u "$user" -- "$0" "$@"
fi
exec "$node" --env-file="$environment" --disable-warning=ExperimentalWarning "$server" "$@"
