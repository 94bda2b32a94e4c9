# A network of our own, with one public address and names: run as root of a user, network and mount namespace of its own.
# $1 a hosts file; then a program.
set -e
ip link set lo up
ip addr add 93.184.216.34/32 dev lo
mount --bind "$1" /etc/hosts
shift
exec "$@"
