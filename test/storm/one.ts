// One storm in a process of its own: what breaks there breaks nothing else.
import { weather } from './storms.ts';

const [seed = '0'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await weather(Number(seed)))}\n`);
process.exit();
