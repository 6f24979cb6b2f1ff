import { expect, test } from 'vitest';
import { configText } from '../../src/talos/config/text.ts';
import type { MachineConfig } from '../../src/talos/config/document.ts';
import { maskerFor, secretsOf } from '../../src/talos/mask.ts';
import { redactConfig } from '../../src/talos/redact.ts';
import { someConfig } from '../arbitrary/talos-patches.ts';
import { diceOf } from '../dice.ts';
import { secretConfig, withoutCertificates } from '../talos-secrets.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs } from './peers.ts';

type Answer = { readonly diff?: string; readonly refused?: string; readonly unread?: string };

const bundles = 12;

test(
  'texts of Talos itself come out without secrets: diffs and refusals',
  async () => {
    const made = await Promise.all(Array.from({ length: bundles }, (_, seed) => secretConfig(seed, '1.13')));
    const questions = made.flatMap(({ bundle, configs: [controlPlane = [], worker = []] }, index) => {
      const other = made[(index + 1) % made.length];
      const hidden = [bundle, ...(other === undefined ? [] : [other.bundle])].flatMap((each) =>
        secretsOf({ ...each, certs: withoutCertificates(each.certs) }).filter((secret) => secret.length >= 16),
      );
      const theirs: MachineConfig = other?.configs[0] ?? [];
      const wrong = configText(controlPlane).replace(/^ {4}token:/m, '    tokenn:');
      const random = configText(someConfig(diceOf(index), '1.13'));
      const asked = [
        { config: configText(controlPlane), diff: configText(theirs) },
        { config: configText(controlPlane), diff: configText(worker) },
        { config: random, diff: configText(controlPlane) },
        { config: wrong, patches: ['machine:\n  type: worker\n'] },
        { config: configText(controlPlane), patches: [wrong] },
      ];
      return asked.map((question) => ({ question, bundle, hidden }));
    });
    const answers = await askAll<Answer>(
      'talos-patcher',
      questions.map(({ question }) => question),
    );
    let secretsSeen = 0;
    let lines = 0;
    for (const [index, { bundle, hidden }] of questions.entries()) {
      const answer = answers[index] ?? {};
      const text = `${answer.diff ?? ''}\n${answer.refused ?? ''}\n${answer.unread ?? ''}`;
      secretsSeen += hidden.filter((secret) => text.includes(secret)).length;
      lines += text.split('\n').length;
      for (const shown of [redactConfig(text), maskerFor(bundle)(text)])
        expect(hidden.filter((secret) => shown.includes(secret)).length).toBe(0);
    }
    process.stderr.write(
      `redaction: ${secretsSeen} secrets in ${lines} lines of ${questions.length} texts of Talos, none left\n`,
    );
    expect(secretsSeen).toBeGreaterThan(questions.length);
  },
  buildTimeoutMs,
);
