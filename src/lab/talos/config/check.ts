import { loadConfig, Refusal, type Loaded } from './load.ts';
import { conflictWithOld } from './rules/conflicts.ts';
import { checkHostname } from './rules/hostname.ts';
import { checkMachine } from './rules/machine.ts';
import { networkRules } from './rules/network-documents.ts';
import { checkOnNode, iommuWarning } from './rules/on-node.ts';
import { emptyReport, listed, type Report } from './rules/report.ts';
import { runtimeRules } from './rules/runtime-documents.ts';
import { volumeRules } from './rules/volume-documents.ts';
import type { CheckConfig, CheckedFor, Verdict } from './verdict.ts';
import { versionParts } from './version.ts';

const documentRules = { ...networkRules, ...volumeRules, ...runtimeRules };

/** Reads and validates as a node does that is handed a configuration. */
export const checkConfig: CheckConfig = (text, given): Verdict => {
  try {
    const loaded = loadConfig(text, versionParts(given.version).minor);
    const warnings = [...requireSound(validate(loaded, given)), ...requireSound(validateOnNode(loaded, given))];
    return {
      kind: 'accepted',
      warnings,
      documents: loaded.map(({ values }) => values),
      complete: loaded.some(({ kind }) => kind === 'v1alpha1'),
    };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', message: error.message };
    throw error;
  }
};

function requireSound({ errors, warnings }: Report): readonly string[] {
  if (errors.length > 0) throw new Refusal(listed(errors));
  return warnings;
}

function validate(loaded: readonly Loaded[], given: CheckedFor): Report {
  const report = emptyReport();
  const main = loaded.find(({ kind }) => kind === 'v1alpha1');
  const others = loaded.filter((document) => document !== main);
  if (main !== undefined) add(report, 'v1alpha1.Config', checkMachine(main.values, given), listed);
  for (const document of others) {
    const about = document.name === undefined ? document.kind : `${document.kind}/${document.name}`;
    add(report, about, checkDocument(document, given), (errors) => errors.join('\n'));
  }
  if (main !== undefined)
    report.errors.push(...others.flatMap(({ kind, values }) => conflictWithOld(kind, values, main.values) ?? []));
  return report;
}

function add(
  into: Report,
  about: string,
  { errors, warnings }: Report,
  joined: (errors: readonly string[]) => string,
): void {
  into.warnings.push(...warnings);
  if (errors.length > 0) into.errors.push(`${about}: ${joined(errors)}`);
}

function checkDocument({ kind, values }: Loaded, given: CheckedFor): Report {
  const report = emptyReport();
  const { minor, patch } = versionParts(given.version);
  if (kind === 'HostnameConfig') checkHostname(values, minor, patch, report);
  for (const rule of documentRules[kind] ?? []) rule(values, report);
  return report;
}

function validateOnNode(loaded: readonly Loaded[], given: CheckedFor): Report {
  const report = emptyReport();
  const main = loaded.find(({ kind }) => kind === 'v1alpha1');
  if (main !== undefined) add(report, 'v1alpha1.Config', checkOnNode(main.values, given), listed);
  report.warnings.push(...loaded.filter(({ kind }) => kind === 'PCIDriverRebindConfig').map(() => iommuWarning));
  return report;
}
