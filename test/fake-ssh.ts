import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A program that takes the words that ichor gives to OpenSSH: it logs in (or says what OpenSSH would), connects straight to what
 * -W names, and writes down what it was told. What it is not: it needs no server, and its master is a file.
 */
const script = (node: string, folder: string): string => `#!${node}
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const words = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, 'told.jsonl'))}, JSON.stringify(words) + '\\n');
const option = (name) => (words.find((word) => word.startsWith(name + '=')) ?? '').slice(name.length + 1);
const after = (flag) => words[words.indexOf(flag) + 1];
const socket = option('ControlPath');
const said = (name) => { const file = ${JSON.stringify(folder)} + '/' + name; return existsSync(file) ? readFileSync(file, 'utf8') : undefined; };
if (words.includes('-O')) rmSync(socket);
else if (words.includes('-N')) {
  const refusal = said('login-says');
  writeFileSync(after('-E'), refusal ?? '');
  if (refusal !== undefined) process.exit(255);
  writeFileSync(socket, '');
} else {
  const fail = (reason) => {
    appendFileSync(socket.replace(/c$/, 'log'), 'channel 2: open failed: ' + reason + '\\r\\n');
    process.stderr.write('Stdio forwarding request failed: Session open refused by peer\\r\\n');
    process.exit(255);
  };
  const refusal = said('passing-says');
  if (refusal !== undefined) fail(refusal);
  const [, host, port] = /^\\[?([^\\]]+?)\\]?:(\\d+)$/.exec(after('-W'));
  const line = connect({ host, port: Number(port), allowHalfOpen: true });
  line.on('error', (error) => fail(error.code === 'ECONNREFUSED' ? 'connect failed: Connection refused' : 'connect failed: ' + error.code));
  line.on('connect', () => {
    process.stderr.write('debug1: mux_client_request_stdio_fwd: master session id: 2\\r\\n');
    process.stdin.pipe(line).pipe(process.stdout);
    // OpenSSH leaves when the target says no more, whatever it has not been told yet.
    const leave = () => process.stdout.write('', () => process.exit());
    line.on('end', leave).on('close', leave);
  });
}
`;

export function fakeSsh(folder: string) {
  const command = join(folder, 'ssh');
  writeFileSync(command, script(process.execPath, folder));
  chmodSync(command, 0o755);
  return {
    command,
    loginSays: (text: string): void => writeFileSync(join(folder, 'login-says'), text),
    passingSays: (text: string): void => writeFileSync(join(folder, 'passing-says'), text),
    told: (): readonly (readonly string[])[] =>
      readFileSync(join(folder, 'told.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string[]),
  };
}
