/** Rows that the twin answers otherwise, each with the reason. A row that differs and is not here fails the run, and so does one that is here and does not. */
export const reasons: Readonly<Record<number, string>> = {
  254: 'packed by another program, the file is a few bytes longer',
  980: 'the recorded log had not come as far when it was read',
  982: 'the recorded log had not come as far when it was read',
  1129: 'the recorded host had no firmware files at first, so that its start failed without warnings',
  1478: 'recorded hosts could not reach each other over ssh, and those of the lab need not',
  1494: 'one recorded row lacks what its host used of the memory; all others have it',
  1624: 'how far the image was copied when somebody stopped it',
  1755: 'nine calls of the agent waited meanwhile, which the recording does not show',
  1759: 'the recorded disk was slow: copying an image took half a minute',
  1760: 'the image is copied by now, see 1759',
  1764: 'the recorded daemon was stopped by hand while its host went on',
  1708: 'the recording has a stand-in for what this QEMU supports',
};

/** Rows that differ or do not, by how fast the replay is at the moment. */
export const moments: Readonly<Record<number, string>> = {
  646: 'the recording asked for the end of a VM while it was still being started; a replay comes later',
};
