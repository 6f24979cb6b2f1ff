import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { peerProgram, type PeerName } from './peers.ts';

/** Asks a program of ours around code of somebody else: one line of JSON per question, one per answer, in order. */
export async function askAll<Answer>(name: PeerName, questions: readonly object[]): Promise<readonly Answer[]> {
  const program = await peerProgram(name);
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const answers: Answer[] = [];
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  for await (const line of lines) answers.push(JSON.parse(line) as Answer);
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ended with ${code}.`);
  if (answers.length !== questions.length)
    throw new Error(`${name} gave ${answers.length} answers to ${questions.length} questions.`);
  return answers;
}
