import { flag, list, text, textMap, whole, word } from './kind.ts';
import { at, nested, shape, sparse } from './shape.ts';
import { fipsStates, selinuxStates, stages } from './words.ts';

const unmetCondition = shape({ name: at(1, text), reason: at(2, text) });
const status = shape({ ready: at(1, flag), unmetConditions: at(2, list(nested(unmetCondition))) });
export const machineStatus = shape({ stage: at(1, word(stages, 'unknown')), status: at(2, nested(status)) });

export const version = shape({ name: at(2, text), version: at(1, text) });

export const securityState = shape({
  secureBoot: at(1, flag),
  ukiSigningKeyFingerprint: sparse(2, text),
  pcrSigningKeyFingerprint: sparse(3, text),
  selinuxState: sparse(4, word(selinuxStates, 'disabled')),
  fipsState: sparse(6, word(fipsStates, 'disabled')),
  bootedWithUKI: sparse(5, flag),
  moduleSignatureEnforced: sparse(7, flag),
});

export const platformMetadata = shape({
  platform: sparse(1, text),
  hostname: sparse(2, text),
  region: sparse(3, text),
  zone: sparse(4, text),
  instanceType: sparse(5, text),
  instanceId: sparse(6, text),
  providerId: sparse(7, text),
  spot: sparse(8, flag),
  internalDNS: sparse(9, text),
  externalDNS: sparse(10, text),
  tags: sparse(11, textMap),
});

export const diagnostic = shape({ message: at(1, text), details: at(2, list(text)) });

const constraint = shape({ version: at(1, text) });
const compatibility = shape({ talos: at(1, nested(constraint)) });
const extensionMetadata = shape({
  name: at(1, text),
  version: at(2, text),
  author: at(3, text),
  description: at(4, text),
  compatibility: at(5, nested(compatibility)),
  extraInfo: sparse(6, text),
});
export const extensionStatus = shape({ image: at(1, text), metadata: at(2, nested(extensionMetadata)) });

export const kernelCmdline = shape({ cmdline: at(1, text) });
export const metaKey = shape({ value: at(1, text) });
export const metaLoaded = shape({ done: at(1, flag) });
export const service = shape({ running: at(1, flag), healthy: at(2, flag), unknown: at(3, flag) });
export const timeStatus = shape({ synced: at(1, flag), epoch: at(2, whole), syncDisabled: at(3, flag) });
