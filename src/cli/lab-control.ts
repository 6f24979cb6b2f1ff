import { rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { LabFault } from '../lab/fault-board.ts';
import type { Lab } from '../lab/lab.ts';
import type { LabRequest } from '../lab/request-log.ts';
import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import type { LabEntry } from './lab-folder.ts';
import { stateOf, type LabState } from './lab-state.ts';

/** What a lab can be asked and told through its socket; the answer is what follows. */
type Orders = {
  readonly 'GET /': LabState;
  readonly 'GET /requests': readonly LabRequest[];
  /** Forgets what was asked so far. */
  readonly 'DELETE /requests': Record<string, never>;
  readonly 'POST /faults': Record<string, never>;
  /** Everything is well again. */
  readonly 'DELETE /faults': Record<string, never>;
};

type Answer<What extends keyof Orders = keyof Orders> =
  | { readonly answer: Orders[What] }
  | { readonly problem: Pick<Problem, 'code' | 'message' | 'remedy'> };

/** Answers on a socket in the lab’s folder, which only its owner may enter. */
export async function serveControl(path: string, lab: Lab, now: () => Date): Promise<AsyncDisposable> {
  await rm(path, { force: true });
  const [{ FaultBoard, NotInLab }, { requestsSince }] = await Promise.all([
    import('../lab/fault-board.ts'),
    import('../lab/request-log.ts'),
  ]);
  const board = new FaultBoard(lab);
  let since = new Date(0);
  const handlers: { readonly [What in keyof Orders]: (body: string) => Orders[What] } = {
    'GET /': () => stateOf(lab, board.active()),
    'GET /requests': () => requestsSince(lab, since),
    'DELETE /requests': () => {
      since = now();
      return {};
    },
    'POST /faults': (body) => {
      board.add(JSON.parse(body) as LabFault);
      return {};
    },
    'DELETE /faults': () => {
      board.heal();
      return {};
    },
  };
  const answerTo = (asked: string, body: string): Answer => {
    try {
      const handler = handlers[asked as keyof Orders] as ((given: string) => Orders[keyof Orders]) | undefined;
      if (handler === undefined) throw new Problem('unknown-order', `This lab does not know "${asked}".`);
      return { answer: handler(body) };
    } catch (error) {
      const { code, message, remedy } =
        error instanceof NotInLab
          ? new Problem(`no-such-${error.what}`, error.message, { remedy: meant(error.written, error.there) })
          : error instanceof Problem
            ? error
            : new Problem('lab-failed', error instanceof Error ? error.message : String(error));
      return { problem: { code, message, remedy } };
    }
  };
  const server = createServer((asked, response) => {
    void bodyOf(asked).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerTo(`${asked.method ?? ''} ${asked.url ?? ''}`, body)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = '';
  message.setEncoding('utf8');
  for await (const piece of message) text += piece as string;
  return text;
}

function meant(written: string, there: readonly string[]): string {
  const near = nearest(written, there);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return there.length === 0 ? 'There is none yet.' : `There ${there.length === 1 ? 'is' : 'are'} ${there.join(', ')}.`;
}

/** Tells a lab to do something; what it refuses is a problem. */
export async function tellLab<What extends keyof Orders>(
  { name, control }: Pick<LabEntry, 'name' | 'control'>,
  what: What,
  body?: LabFault,
): Promise<Orders[What]> {
  const told = await ask<What>(control, what, body);
  if (told === undefined)
    throw new Problem('lab-silent', `The lab "${name}" does not answer.`, {
      recovery: 'wait',
      remedy: `It may still be starting, or be busy:\n    ichor lab status --name ${name}`,
    });
  if ('answer' in told) return told.answer;
  const { code, message, remedy } = told.problem;
  throw new Problem(code, message, { remedy });
}

/** Undefined: it does not answer. */
export async function askControl(socketPath: string): Promise<LabState | undefined> {
  const told = await ask<'GET /'>(socketPath, 'GET /');
  return told !== undefined && 'answer' in told ? told.answer : undefined;
}

function ask<What extends keyof Orders>(
  socketPath: string,
  what: What,
  body?: LabFault,
): Promise<Answer<What> | undefined> {
  const [method = 'GET', path = '/'] = what.split(' ');
  return new Promise((resolve) => {
    const asked = request({ socketPath, method, path, timeout: 5000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(JSON.parse(text) as Answer<What>));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end(body === undefined ? '' : JSON.stringify(body));
  });
}
