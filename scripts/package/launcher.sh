#!/bin/sh
# Runs the server, or the command that is named, on the Node beside this file. It needs no PATH.
self=$0
if [ -h "$self" ]; then
  for readlink in /usr/bin/readlink /bin/readlink; do
    if [ -x "$readlink" ]; then self=$("$readlink" -f -- "$self"); break; fi
  done
fi
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
exec "${folder:-/}/bin/node" "${folder:-/}/lib/server/dist/coverage-service.js" "$@"
