// Loaded before the command line: ends the process with SIGKILL once the journal of a run has so many lines, or so many
// milliseconds later. KILL_AT=LINES[+MS]. The product knows nothing of it.
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [lines = '0', later] = (process.env['KILL_AT'] ?? '0').split('+');
const journal = /[/\\]\.ichor[/\\][^/\\]+[/\\]runs[/\\][^/\\]+\.jsonl$/;
const die = () => process.kill(process.pid, 'SIGKILL');
let written = 0;

const counted = (text) => {
  const before = written;
  written += String(text).split('\n').length - 1;
  if (before >= Number(lines) || written < Number(lines)) return;
  if (later === undefined) die();
  else setTimeout(die, Number(later));
};

const open = fsp.open;
fsp.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  if (!journal.test(String(path))) return handle;
  for (const name of ['write', 'writeFile', 'appendFile']) {
    const real = handle[name].bind(handle);
    handle[name] = async (data, ...more) => {
      const result = await real(data, ...more);
      await handle.datasync();
      counted(data);
      return result;
    };
  }
  return handle;
};
syncBuiltinESMExports();
