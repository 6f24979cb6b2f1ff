import { quote } from './report.ts';

/** Minors of Kubernetes that each minor of Talos runs. */
const supported: Readonly<Record<number, readonly [oldest: number, newest: number]>> = {
  9: [27, 32],
  10: [28, 33],
  11: [29, 34],
  12: [30, 35],
  13: [31, 36],
  14: [32, 37],
};

/** Why an image cannot be run by this Talos; undefined for one that can, or that is not named. */
export function imageFault(image: string, talos: string, minor: number): string | undefined {
  if (image === '') return undefined;
  const at = image.lastIndexOf(':v');
  const wrap = (words: string): string =>
    `failed to parse Kubernetes version from image reference ${quote(image)}: ${words}`;
  if (at === -1) return wrap(`invalid image reference: ${quote(image)}`);
  const version = image.slice(at + 2).replace(/@.*$/s, '');
  const [, major = '', second = ''] =
    /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(version) ?? [];
  if (major === '') return wrap(versionFault(version));
  const [oldest, newest] = supported[minor] ?? [0, 99];
  const place = Number(major) * 1000 + Number(second);
  const words = (way: string): string =>
    `version of Kubernetes ${version} is too ${way} to be used with Talos ${talos}`;
  if (place < 1000 + oldest) return words('old');
  return place > 1000 + newest ? words('new') : undefined;
}

function versionFault(version: string): string {
  const parts = version.split('.');
  if (version === '') return 'error parsing version "": Version string empty';
  if (parts.length < 3) return `No Major.Minor.Patch elements found`;
  return `Invalid character(s) found in ${['major', 'minor', 'patch'][parts.findIndex((part) => !/^\d+$/.test(part))] ?? 'patch'} number ${quote(parts.find((part) => !/^\d+$/.test(part)) ?? '')}`;
}
