#!/bin/sh
# Puts libreferee, its header and its pkg-config file below a prefix, in the way of other C libraries.
#
#   crates/referee-c/install.sh [--prefix DIR] [--from DIR]
#
# --prefix   where to: /usr/local unless it is said; DESTDIR, if set, is put in front of it
# --from     the folder with what cargo has built; without it, cargo builds a release first
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local from=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) prefix=$2 && shift 2 ;;
        --from) from=$2 && shift 2 ;;
        *) echo "usage: $0 [--prefix DIR] [--from DIR]" >&2 && exit 2 ;;
    esac
done
if [ -z "$from" ]; then
    (cd "$here/../.." && cargo build --release -p referee-c)
    from=${CARGO_TARGET_DIR:-$here/../../target}/release
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
root=${DESTDIR:-}$prefix

mkdir -p "$root/include" "$root/lib/pkgconfig"
install -m 644 "$here/include/referee.h" "$root/include/referee.h"
# Cargo cannot call the library as the program is called, so it gets its name here.
install -m 644 "$from/libreferee_c.a" "$root/lib/libreferee.a"
install -m 755 "$from/libreferee_c.so" "$root/lib/libreferee.so.$version"
ln -sf "libreferee.so.$version" "$root/lib/libreferee.so.0"
ln -sf libreferee.so.0 "$root/lib/libreferee.so"
sed -e "s|@prefix@|$prefix|" -e "s|@version@|$version|" "$here/referee.pc.in" > "$root/lib/pkgconfig/referee.pc"
echo "installed libreferee $version below $root"
