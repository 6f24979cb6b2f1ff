import { propertyFormats } from '../../../wire/proxmox/formats.ts';
import { isAlias } from '../../../wire/proxmox/notation.ts';
import type { Param, Parts } from '../../../wire/proxmox/notation.ts';
import { isSeveral, textOf } from '../server/form.ts';
import type { SentValue } from '../server/form.ts';
import { Complaints, missingProperty, unknownProperty } from './complaints.ts';
import { cpuComplaint } from './cpu.ts';
import type { Formats } from './formats/format.ts';
import { holds, isInteger, isNumber, splitList } from './perl-text.ts';
import { parsePropertyString, Unreadable } from './property-string.ts';

/** Looks at one value; what is wrong goes to the complaints, under its path. */
export function checkValue(
  formats: Formats,
  param: Param,
  value: SentValue,
  path: string,
  complaints: Complaints,
): void {
  if (value === undefined || value === null) {
    if (param.required === true) complaints.add(path, missingProperty);
    return;
  }
  const wrongType = typeComplaint(param.type, value);
  const complaint =
    wrongType ?? (param.type === 'array' ? undefined : textComplaint(formats, param, textOf(value), path));
  if (complaint !== undefined) complaints.add(path, complaint);
}

function typeComplaint(type: Param['type'], value: SentValue): string | undefined {
  if (type === 'array') return Array.isArray(value) ? undefined : `type check ('array') failed`;
  const failed = `type check ('${type}') failed - got`;
  if (typeof value === 'object') return `${failed} ${isSeveral(value) ? 'ARRAY' : 'HASH'}`;
  if (typeof value === 'boolean') return type === 'boolean' ? undefined : `${failed} JSON::PP::Boolean`;
  const text = textOf(value);
  return fits(type, text) ? undefined : `${failed} '${text}'`;
}

function fits(type: Exclude<Param['type'], 'array'>, text: string): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'boolean':
      return text === '0' || text === '1';
    case 'integer':
      return isInteger(text);
    case 'number':
      return isNumber(text);
  }
}

function textComplaint(formats: Formats, param: Param, text: string, path: string): string | undefined {
  const wrongFormat = formatComplaint(formats, param, text, path);
  if (wrongFormat !== undefined) return `invalid format - ${wrongFormat}`;
  if (param.pattern !== undefined && !holds(param.pattern, text)) return 'value does not match the regex pattern';
  const length = Array.from(text).length;
  if (param.maxLength !== undefined && length > param.maxLength)
    return `value may only be ${param.maxLength} characters long`;
  if (param.minLength !== undefined && length < param.minLength)
    return `value must be at least ${param.minLength} characters long`;
  if (isNumber(text)) {
    if (param.maximum !== undefined && Number(text) > param.maximum)
      return `value must have a maximum value of ${param.maximum}`;
    if (param.minimum !== undefined && Number(text) < param.minimum)
      return `value must have a minimum value of ${param.minimum}`;
  }
  return param.enum === undefined || param.enum.includes(text)
    ? undefined
    : `value '${text}' does not have a value in the enumeration '${param.enum.join(', ')}'`;
}

/** With its line end. */
function formatComplaint(formats: Formats, { format, parts }: Param, text: string, path: string): string | undefined {
  const properties = parts ?? (format === undefined ? undefined : propertyFormats[format]);
  if (properties !== undefined) return propertiesComplaint(formats, properties, text, path, format);
  if (format === undefined) return undefined;
  const complaint = namedComplaint(formats, format, text);
  return complaint === undefined ? undefined : `${complaint}\n`;
}

/** `…-list` holds for each of several, `…-opt` for nothing as well. */
function namedComplaint(formats: Formats, format: string, text: string): string | undefined {
  const [, name = '', kind] = /^(.*?)(?:-(list|opt))?$/.exec(format) ?? [];
  const check = formats[name];
  if (check === undefined) throw new Error(`The lab does not know the format ${format}.`);
  if (kind === 'list')
    return splitList(text)
      .map((each) => check(each))
      .find((complaint) => complaint !== undefined);
  return kind === 'opt' && (text === '' || text === '0') ? undefined : check(text);
}

function propertiesComplaint(
  formats: Formats,
  parts: Parts,
  text: string,
  path: string,
  name: string | undefined,
): string | undefined {
  try {
    const found = parsePropertyString(parts, text);
    const complaints = new Complaints();
    for (const [key, part] of Object.entries(parts))
      if (!isAlias(part)) checkValue(formats, part, found[key], `${path}.${key}`, complaints);
    for (const key of Object.keys(found)) {
      const part = parts[key];
      if (part === undefined || isAlias(part)) complaints.add(`${path}.${key}`, unknownProperty);
      else if (part.requires !== undefined && found[part.requires] === undefined)
        complaints.add(`${path}.${part.requires}`, `missing property required by '${path}.${key}'`);
    }
    if (complaints.size > 0) return `format error\n${complaints.lines()}`;
    const more = name === 'pve-vm-cpu-conf' ? cpuComplaint(found) : undefined;
    return more === undefined ? undefined : `${more}\n`;
  } catch (error) {
    if (error instanceof Unreadable) return `${error.message}\n`;
    throw error;
  }
}
