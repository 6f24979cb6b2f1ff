// Loaded before a measured program: writes the most memory it held to the file that BENCH_RSS names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_RSS, String(process.resourceUsage().maxRSS)));
