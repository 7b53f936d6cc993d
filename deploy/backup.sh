#!/bin/sh
# A backup into a folder; once it is there, those of more than KEEP_DAYS days ago go. The timer, the cron line and the
# CronJob of deploy/ run it:  backup.sh <folder> [--environment <file>]
set -eu
folder=${1:?give the folder of the backups}
shift
umask 077
"$(dirname "$0")/../coverage-service" backup --to "$folder/coverage-$(date -u +%Y%m%dT%H%M%SZ).db" "$@"
find "$folder" -name 'coverage-*.db' -mtime "+${KEEP_DAYS:-14}" -exec rm -f {} +
