import type { CertificateAndKey } from '../secrets/bundle.ts';
import type { Fields } from './document.ts';

/** PEM text as the v1alpha1 document holds it. */
export const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

export const withKey = ({ crt, key }: CertificateAndKey): Fields => ({ crt: base64(crt), key: base64(key) });

/** Workers trust an authority and cannot sign for it. */
export const withoutKey = ({ crt }: CertificateAndKey): Fields => ({ crt: base64(crt), key: '' });
