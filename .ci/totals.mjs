// The totals of every run, last: what CI reads.
import { readdirSync, readFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const runs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({ name: name.replace('.json', ''), ...JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) }));
const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
for (const { name, numPassedTests, numTotalTests } of runs)
  console.log(`${name.padEnd(12)} ${numPassedTests} of ${numTotalTests} tests passed`);
const files = runs.reduce((total, { testResults }) => total + testResults.length, 0);
const failedFiles = runs.reduce(
  (total, { testResults }) => total + testResults.filter(({ status }) => status !== 'passed').length,
  0,
);
const skipped = sum('numPendingTests') + sum('numTodoTests');
const part = (count, word) => (count > 0 ? [`${count} ${word}`] : []);
console.log(
  ` Test Files  ${[...part(failedFiles, 'failed'), ...part(files - failedFiles, 'passed')].join(' | ')} (${files})`,
);
console.log(
  `      Tests  ${[...part(sum('numFailedTests'), 'failed'), ...part(sum('numPassedTests'), 'passed'), ...part(skipped, 'skipped')].join(' | ')} (${sum('numTotalTests')})`,
);
process.exitCode = sum('numFailedTests') + failedFiles + skipped === 0 ? 0 : 1;
