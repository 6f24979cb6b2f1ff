import { expect, test } from 'vitest';
import { namedBundle, platformOf, requestFor } from '../../../test/talos-configs.ts';
import { talosReleases } from '../../model/talos-releases.ts';
import { contracts } from './contract.ts';
import { renderConfigs } from './render.ts';
import { configText } from './text.ts';

/** A platform that uses most of what a configuration can say. */
const file = (version: string) => `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  machines:
    proxmox:
      endpoint: https://pve1.example.org:8006
      token: { env: PROXMOX_TOKEN }
      hosts: [pve1, pve2, pve3]
  cluster:
    talos: { version: ${version}, extensions: [qemu-guest-agent, iscsi-tools, util-linux-tools, tailscale], image: { boot: iso } }
    kubernetes: { version: v1.32.5 }
    endpoint: { vip: 10.10.0.5 }
    controlPlane: { replicas: 3, addresses: 10.10.0.11-19 }
    workers:
      general: { replicas: 2, addresses: 10.10.0.21-29, disks: { archive: 1TiB, longhorn: 200GiB }, labels: { example.org/tier: one }, taints: ["gpu=true:NoSchedule"] }
      edge: { replicas: 1, addresses: 10.10.0.31-39 }
    nodes:
      general-0: { annotations: { example.org/rack: "7" }, labels: { example.org/first: "yes" } }
    network: { nodes: 10.10.0.0/24, gateway: 10.10.0.1, addresses: static, nameservers: [10.10.0.1], timeServers: [ntp.example.org], mtu: 1400 }
    certSANs: [k8s.example.org]
    registries:
      mirrors: { docker.io: { endpoints: ["https://mirror.example.org/v2/docker.io"], overridePath: true } }
      credentials: { mirror.example.org: { username: robot, password: { env: REGISTRY }, ca: ./mirror-ca.pem } }
    firewall: { enabled: true, management: [10.0.0.0/16] }
    kubeSpan: { enabled: true }
    encryption: { state: { nodeID: {} }, ephemeral: { passphrase: { file: ./passphrase } } }
    extensionServices:
      tailscale: { environment: { TS_ROUTES: 10.10.0.0/24 }, secrets: { TS_AUTHKEY: { env: TS_AUTHKEY } } }
    manifests: { inline: { apps: "apiVersion: v1\\nkind: Namespace\\nmetadata: { name: apps }\\n" } }
    sysctls: { net.core.somaxconn: "65535" }
`;

/** Whatever came out of the bundle or a reference is shown by its name alone. */
function masked(text: string): string {
  const named = JSON.stringify(namedBundle).match(/[\w.]+\.[\w.]+/g) ?? [];
  const secrets = [...named, 'text of env:REGISTRY', 'text of file:./passphrase', 'text of env:TS_AUTHKEY'];
  return secrets.reduce((shown, secret) => {
    const mask = `****** (${secret})`;
    return shown
      .replaceAll(Buffer.from(secret).toString('base64'), mask)
      .replaceAll(new RegExp(`(?<!\\()${escaped(secret)}(?!\\))`, 'g'), mask);
  }, text);
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');

test.each(contracts)('configurations for %s are those that were reviewed', async (contract) => {
  const rendered = renderConfigs(requestFor(platformOf(file(talosReleases[contract]?.patch ?? ''))));
  const golden = `../../../test/golden/talos/${contract}`;
  const node = rendered.nodes.get('prod-general-0');
  const first = rendered.nodes.get('prod-cp-0');
  await expect(masked(configText(rendered.controlPlane.config))).toMatchFileSnapshot(`${golden}/control-plane.yaml`);
  await expect(masked(configText(rendered.worker.config))).toMatchFileSnapshot(`${golden}/worker.yaml`);
  await expect(masked(configText(first?.config ?? []))).toMatchFileSnapshot(`${golden}/control-plane-node.yaml`);
  await expect(masked(configText(node?.config ?? []))).toMatchFileSnapshot(`${golden}/worker-node.yaml`);
});
