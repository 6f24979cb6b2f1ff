import { describe, expect, test } from 'vitest';
import { at, controlPlane, documents, render } from '../../../test/talos-small.ts';
import type { Contract } from './contract.ts';

describe('hostnames', () => {
  test.each<[string, Contract, string, string, unknown, readonly unknown[]]>([
    ['written into the old document', '1.11', 'v1.11.6', 'talos', 'p-cp-0', []],
    ['written into their own', '1.12', 'v1.12.4', 'talos', undefined, [{ auto: 'off', hostname: 'p-cp-0' }]],
    ['from DHCP, which old versions simply let win', '1.11', 'v1.11.6', 'dhcp', undefined, []],
    ['from DHCP, where the document must be left out', '1.12', 'v1.12.8', 'dhcp', undefined, []],
    ['from DHCP, said so', '1.12', 'v1.12.9', 'dhcp', undefined, [{ auto: 'off' }]],
    ['from DHCP, where the document must be left out', '1.13', 'v1.13.2', 'dhcp', undefined, []],
    ['from DHCP, said so', '1.13', 'v1.13.3', 'dhcp', undefined, [{ auto: 'off' }]],
    ['from DHCP, said so', '1.14', 'v1.14.0', 'dhcp', undefined, [{ auto: 'off' }]],
  ])('%s: %s, %s', (_, contract, version, hostnames, legacy, own) => {
    const rendered = controlPlane(contract, { hostnames, talos: { version } });
    expect(at(rendered, 'machine.network.hostname')).toBe(legacy);
    expect(documents(rendered, 'HostnameConfig')).toEqual(own);
  });

  test('a role has no name: Talos makes one for who uses it as it is', () => {
    expect(documents(render('1.13', {}).worker, 'HostnameConfig')).toEqual([{ auto: 'stable' }]);
  });
});
