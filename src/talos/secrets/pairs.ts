import { fromBase64, readCertificate, readPrivateKey } from '../pki/pem.ts';
import type { CertificateAndKey } from './bundle.ts';
import type { Given, Place } from './given.ts';

/** What talosctl writes where it hides a key. */
const redacted = '******';

const hiddenKey =
  'This copy has its keys blanked out; take the file as it was written, or rebuild it from a control plane’s config:\n' +
  '    talosctl gen secrets --from-controlplane-config controlplane.yaml';

/** How a PEM text stands in a file: in base64 once more, or as it is. */
export type Packing = 'base64' | 'plain';

export type PairPlaces = { readonly crt: Place; readonly key: Place; readonly packing: Packing };

/** A certificate and its key. Talos does not look whether they belong together; a cluster of them would never come up. */
export function pairAt(places: PairPlaces, given: Given): CertificateAndKey {
  const crt = certificateAt(places.crt, places.packing, given);
  const key = keyAt(places.key, places.packing, given);
  const certificate = readCertificate(crt);
  const privateKey = readPrivateKey(key);
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey))
    given.wrong(places.key, 'does not belong to the certificate beside it');
  return { crt, key };
}

function certificateAt(place: Place, packing: Packing, given: Given): string {
  const text = unpacked(given.text(place), place, packing, given);
  if (text !== '' && readCertificate(text) === undefined) given.wrong(place, 'holds no certificate');
  return text;
}

export function keyAt(place: Place, packing: Packing, given: Given): string {
  const packed = given.text(place);
  if (packed === redacted) {
    given.wrong(place, 'is blanked out', hiddenKey);
    return '';
  }
  const text = unpacked(packed, place, packing, given);
  if (text !== '' && readPrivateKey(text) === undefined) given.wrong(place, 'holds no private key');
  return text;
}

/** Empty when there was something to say about it. */
function unpacked(text: string, place: Place, packing: Packing, given: Given): string {
  if (text === '') return '';
  if (packing === 'plain') return text.endsWith('\n') ? text : `${text}\n`;
  const plain = fromBase64(text);
  if (plain === undefined) given.wrong(place, 'is not base64');
  return plain ?? '';
}
