#!/usr/bin/env node
// Runs `ichor demo` on a terminal of its own and writes what was seen as docs/demo.svg. Needs `script` of util-linux, and a
// built dist/: node tools/record-demo.mjs [file]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TerminalScreen } from './recording/screen.mjs';
import { recordingSvg } from './recording/svg.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.argv[2] ?? `${root}docs/demo.svg`;
const size = { columns: 110, rows: 34 };
const everyMs = 250;
/** Nobody wants to watch longer than this while nothing changes. */
const longestPause = 1.5;

const { CI: _, ...env } = process.env;
const command = `stty cols ${size.columns} rows ${size.rows}; exec ${process.execPath} ${root}dist/ichor.js demo`;
const child = spawn('script', ['-qefc', command, '/dev/null'], {
  env: { ...env, TERM: 'xterm-256color', FORCE_COLOR: '1' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const screen = new TerminalScreen(size.columns, size.rows);
const began = performance.now();
const seconds = () => (performance.now() - began) / 1000;
const frames = [];
let last = '';
let said = '';
let pressed = false;

function look() {
  const seen = screen.seen();
  const text = JSON.stringify(seen);
  if (text === last) return;
  last = text;
  frames.push({ at: seconds(), screen: seen });
}

child.stdout.setEncoding('utf8').on('data', (text) => {
  screen.write(text);
  said += text;
  if (!pressed && said.includes('Press a key')) {
    pressed = true;
    look();
    setTimeout(() => child.stdin.write(' '), 2000);
  }
});
const timer = setInterval(look, everyMs);
child.on('close', (code) => {
  clearInterval(timer);
  look();
  if (code !== 0) {
    process.stderr.write(`The demo ended with ${code}; nothing was written.\n${said.slice(-3000)}\n`);
    process.exit(1);
  }
  const took = seconds();
  const svg = recordingSvg(shortened(frames), { ...size, title: 'ichor demo' });
  writeFileSync(target, svg);
  process.stdout.write(
    `${target}: ${frames.length} frames of ${took.toFixed(1)} s, ${Math.round(svg.length / 1024)} KiB\n`,
  );
});

/** Begins at once, and no pause is longer than it must be. */
function shortened(all) {
  let at = 0;
  return all.map((frame, index) => {
    if (index > 0) at += Math.min(longestPause, frame.at - all[index - 1].at);
    return { at: Number(at.toFixed(2)), screen: frame.screen };
  });
}
