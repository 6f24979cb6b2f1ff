import type { Entropy } from '../../model/entropy.ts';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** The largest multiple of the alphabet that a byte can hold: what lies above would favour the first letters. */
const fair = 256 - (256 % alphabet.length);

/** As kubeadm has it: abcdef.0123456789abcdef */
export const newToken = (entropy: Entropy): string => `${letters(6, entropy)}.${letters(16, entropy)}`;

function letters(count: number, entropy: Entropy): string {
  let text = '';
  while (text.length < count)
    for (const byte of entropy.bytes(count - text.length)) if (byte < fair) text += alphabet[byte % alphabet.length];
  return text;
}
