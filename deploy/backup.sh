#!/bin/sh
# A backup into a folder, whose backups of more than 14 days ago (or so many as stated) go once it is there. The timer,
# the cron line and the CronJob of deploy/ run it:  backup.sh <folder> [<days> [<options of the command backup>]]
set -eu
folder=${1:?give the folder of the backups} days=${2:-14}
if [ $# -gt 2 ]; then shift 2; else set --; fi
umask 077
"$(dirname "$0")/../coverage-service" backup --to "$folder/coverage-$(date -u +%Y%m%dT%H%M%SZ).db" "$@"
find "$folder" -name 'coverage-*.db' -mtime "+$days" -exec rm -f {} +
