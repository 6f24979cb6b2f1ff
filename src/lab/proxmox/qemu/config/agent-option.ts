import { isOn, parseProperties } from './property-string.ts';

/** Options of the guest agent; empty where it is off. */
export function parseAgent(text: string | undefined): ReadonlyMap<string, string> {
  const parsed = parseProperties(text ?? '', 'enabled');
  return isOn(parsed.get('enabled')) ? parsed : new Map();
}

export const agentEnabled = (config: ReadonlyMap<string, string>): boolean => parseAgent(config.get('agent')).size > 0;
