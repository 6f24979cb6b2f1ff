const clusterBits = 16;
const cluster = 1 << clusterBits;

/** Clusters of the file, in the order in which they stand in it. */
const place = { header: 0, refcountTable: 1, refcounts: 2, l1: 3, l2: 4, data: 5, count: 6 } as const;

// The cluster is the only one that refers to this place, so it may be written without a copy.
const own = 1n << 63n;

/**
 * A disk image of a declared size of which only the first cluster was ever written. Programs that read qcow2 take it: `data`
 * is what a guest would find at the beginning of the disk.
 */
export function qcow2Image(sizeBytes: number, data: Uint8Array): Buffer {
  if (data.length > cluster) throw new Error('What is written to an image of the lab fits into one cluster.');
  const entriesPerL2 = cluster / 8;
  const l1Entries = Math.ceil(sizeBytes / (cluster * entriesPerL2));
  if (l1Entries * 8 > cluster) throw new Error('The table of a disk of this size does not fit into one cluster.');
  const file = Buffer.alloc(place.count * cluster);
  const at = (index: number): number => index * cluster;

  file.write('QFI\u00fb', 0, 'latin1');
  file.writeUInt32BE(3, 4);
  file.writeUInt32BE(clusterBits, 20);
  file.writeBigUInt64BE(BigInt(sizeBytes), 24);
  file.writeUInt32BE(l1Entries, 36);
  file.writeBigUInt64BE(BigInt(at(place.l1)), 40);
  file.writeBigUInt64BE(BigInt(at(place.refcountTable)), 48);
  file.writeUInt32BE(1, 56);
  // Sixteen bits for each count, and a header of 104 bytes with no extensions behind it.
  file.writeUInt32BE(4, 96);
  file.writeUInt32BE(104, 100);

  file.writeBigUInt64BE(BigInt(at(place.refcounts)), at(place.refcountTable));
  for (let index = 0; index < place.count; index++) file.writeUInt16BE(1, at(place.refcounts) + index * 2);
  file.writeBigUInt64BE(BigInt(at(place.l2)) | own, at(place.l1));
  file.writeBigUInt64BE(BigInt(at(place.data)) | own, at(place.l2));
  file.set(data, at(place.data));
  return file;
}
