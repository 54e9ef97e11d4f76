#!/bin/bash
# make help: the targets a user has, nothing else; every one of them is there.
set -eu
cd "$(dirname "$0")/../.."
help=$(env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory help)
for target in demo check check-long bench-firewall bench-generator install clean help; do
	grep -qE "make $target( |,|\$)" <<<"$help" || { echo "make help lacks $target"; exit 1; }
	grep -qE "^\.?[a-zA-Z :-]*\b$target\b.*:|^\.PHONY:.*\b$target\b" Makefile || { echo "no target $target"; exit 1; }
done
! grep -qvE '^make[ ,]|^V=1 ' <<<"$help" || { echo "make help says more than targets:"; echo "$help"; exit 1; }
