import { expect, test } from 'vitest';
import { controlPlaneConfig } from '../../../../test/twin-configs.ts';
import { documentsToText } from './encode.ts';
import { loadConfig } from './load.ts';
import { configDiff, rebootNeed } from './reboot.ts';

const need = (after: string) => rebootNeed(controlPlaneConfig, after, 'v1.13.9');
const none = { needed: false, text: '', diff: '' };

test.each([
  ['nothing', controlPlaneConfig],
  ['sysctls', controlPlaneConfig.replace('    features:', '    sysctls:\n        a.b: "1"\n    features:')],
  ['SANs', controlPlaneConfig.replace('- 10.0.0.9', '- 10.0.0.10')],
  ['the cluster', controlPlaneConfig.replace('clusterName: demo', 'clusterName: other')],
  ['a feature that can', controlPlaneConfig.replace('port: 7445', 'port: 7446')],
  ['another document', controlPlaneConfig.replace('hostname: cp1', 'hostname: cp2')],
])('%s changes without a reboot', (_, after) => {
  expect(need(after)).toEqual(none);
});

test('the environment does not, and the words are those of a node', () => {
  const diff = `--- a
+++ b
@@ -23,6 +23,8 @@
         image: example.org/installer:v1.13.9
         wipe: false
         grubUseUKICmdline: true
+    env:
+        FOO: bar
     features:
         diskQuotaSupport: true
         kubePrism:
`;
  const after = controlPlaneConfig.replace('    features:', '    env:\n        FOO: bar\n    features:');
  expect(need(after)).toEqual({
    needed: true,
    text: `this config change can't be applied in immediate mode\ndiff:\n${diff}`,
    diff,
  });
  expect(configDiff(controlPlaneConfig, after, 'v1.13.9')).toBe(diff);
});

test('a configuration in Talos’ own form is written back as it is', () => {
  expect(documentsToText(loadConfig(controlPlaneConfig, 13), 13)).toBe(controlPlaneConfig);
});

test('a first configuration is all new', () => {
  const text = 'apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: a:1\n';
  expect(configDiff(undefined, text, 'v1.13.9')).toBe(
    '--- a\n+++ b\n@@ -0,0 +1,3 @@\n+apiVersion: v1alpha1\n+kind: EventSinkConfig\n+endpoint: a:1\n',
  );
});
