#!/usr/bin/env bash
# The rest of a cluster, once its machines are there: as quickly as talosctl and kubectl allow, everything at the same time.
# Usage: up-speed.sh TALOSCTL KUBECTL "control planes" "workers"
set -euo pipefail
talosctl=$1 kubectl=$2
read -ra planes <<<"$3"
read -ra workers <<<"$4"
first=${planes[0]}

again() { until "$@" >/dev/null 2>&1; do sleep 0.5; done; }

"$talosctl" gen config six "https://$first:6443" --output-dir . >/dev/null 2>&1
export TALOSCONFIG=$PWD/talosconfig KUBECONFIG=$PWD/kubeconfig
"$talosctl" config endpoint "${planes[@]}"
"$talosctl" config node "$first"

for address in "${planes[@]}"; do again "$talosctl" apply-config --insecure -n "$address" -f controlplane.yaml & done
for address in "${workers[@]}"; do again "$talosctl" apply-config --insecure -n "$address" -f worker.yaml & done
wait
again "$talosctl" bootstrap -n "$first" -e "$first"
again "$talosctl" kubeconfig "$KUBECONFIG" -n "$first" -e "$first" --force --merge=false
count=$((${#planes[@]} + ${#workers[@]}))
until [ "$("$kubectl" get nodes --no-headers --request-timeout=5s 2>/dev/null | grep -c ' Ready ')" = "$count" ]; do sleep 0.5; done
