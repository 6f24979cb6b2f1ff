import { createHash } from 'node:crypto';
import { given, mapping } from './go-layout.ts';

/** What goes into an image besides Talos itself. */
export type Schematic = {
  /** For boards that need one. */
  readonly overlay?: { readonly image: string; readonly name: string };
  /** Config documents inside of the image; from Talos 1.12 on. */
  readonly embeddedMachineConfiguration?: string;
  /** `-name` takes a default argument away. */
  readonly extraKernelArgs?: readonly string[];
  readonly meta?: readonly { readonly key: number; readonly value: string }[];
  /** Official ones, with or without `siderolabs/` in front; in any order. */
  readonly extensions?: readonly string[];
  readonly bootloader?: 'auto' | 'dual-boot' | 'grub' | 'sd-boot';
  readonly secureboot?: { readonly enrollKeys?: string; readonly includeWellKnownCertificates?: boolean };
  readonly diskImage?: { readonly sectorSize: number };
};

/** The text that the factory makes of a schematic, and that it can be registered with. */
export function schematicText(schematic: Schematic): string {
  const { overlay, embeddedMachineConfiguration, meta, bootloader, secureboot, diskImage } = schematic;
  const customization = given({
    embeddedMachineConfiguration: embeddedMachineConfiguration || undefined,
    extraKernelArgs: schematic.extraKernelArgs,
    meta: meta?.map(({ key, value }) => ({ key, value })),
    systemExtensions: given({ officialExtensions: officialNames(schematic.extensions ?? []) }),
    bootloader: bootloader === 'auto' ? undefined : bootloader,
    secureboot: given({
      enrollKeys: secureboot?.enrollKeys,
      includeWellKnownCertificates: secureboot?.includeWellKnownCertificates || undefined,
    }),
    diskImage: given({ sectorSize: diskImage?.sectorSize }),
  });
  return mapping({ ...given({ overlay: overlay && { image: overlay.image, name: overlay.name } }), customization }, 0);
}

/** The same for the same customization, whoever computes it. Images can be had once it is registered. */
export const schematicId = (schematic: Schematic): string =>
  createHash('sha256').update(schematicText(schematic)).digest('hex');

/** The factory keeps the order that it is given, and another order is another id. */
const officialNames = (extensions: readonly string[]): readonly string[] =>
  [...new Set(extensions.map((name) => (name.includes('/') ? name : `siderolabs/${name}`)))].toSorted();
