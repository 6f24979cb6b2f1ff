import { X509Certificate } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Pause } from '../../model/pause.ts';
import type { Prover } from './credentials/proof.ts';
import { lostAnswer, unreachable } from './problems/losses.ts';
import { KubernetesProblem, type Asked } from './problems/problem.ts';
import { refusalOf, type Refused } from './problems/refusal.ts';
import { Gate } from './transport/gate.ts';
import { Lost, NotSent, type Answer, type Link, type Outgoing, type Stream } from './transport/link.ts';

export type Question = {
  readonly asked: Asked;
  readonly outgoing: Omit<Outgoing, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };
  /** Whether it may be sent a second time when it is not known what became of the first. */
  readonly repeatable: boolean;
  /** Of an eviction 429 is the answer, not a wish to be asked later. */
  readonly busyIsAnswer?: true;
  /** Whatever the server says is an answer. */
  readonly anyStatus?: true;
};

/** Who is told to come back later than this leaves it to whoever asked. */
const patienceMs = 60_000;
const mostAttempts = 10;
const mostLosses = 3;

type Surroundings = {
  readonly link: Link;
  readonly prover: Prover;
  readonly pause: Pause;
  readonly chance: () => number;
  readonly now: () => Date;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly width: number;
  readonly warned: (answer: { readonly headers: Answer['headers'] }) => void;
};

/** Asks, and asks again where that is safe and may help. What is no success ends in a problem. */
export class Caller {
  readonly #around: Surroundings;
  readonly #gate: Gate;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#gate = new Gate(around.width);
  }

  get endpoint(): string {
    return this.#around.link.endpoint.name;
  }

  /** Every answer below 400. */
  async call(question: Question, signal: AbortSignal): Promise<Answer> {
    mayBeShared(signal);
    await this.#gate.enter(signal);
    try {
      return await this.#persist(question, signal, async (outgoing, proof) => {
        const answer = await this.#around.link.send(outgoing, proof, signal);
        return answer.status < 400 || question.anyStatus === true ? answer : refusedBy(answer, answer.text);
      });
    } finally {
      this.#gate.leave();
    }
  }

  /** The same with a body that comes bit by bit; not counted among those that are asked at a time. */
  async stream(question: Question, silenceMs: number, signal: AbortSignal): Promise<Stream> {
    mayBeShared(signal);
    return this.#persist(question, signal, async (outgoing, proof) => {
      const stream = await this.#around.link.open(outgoing, proof, silenceMs, signal);
      return stream.status < 400 ? stream : refusedBy(stream, await this.#around.link.rest(stream, signal));
    });
  }

  async #persist<T extends Answer | Stream>(
    { asked, outgoing, repeatable, busyIsAnswer }: Question,
    signal: AbortSignal,
    send: (outgoing: Outgoing, proof: Awaited<ReturnType<Prover['proof']>>) => Promise<T | Refused>,
  ): Promise<T> {
    const { prover, pause, chance, headers, link } = this.#around;
    const whole: Outgoing = {
      method: outgoing.method,
      path: link.endpoint.prefix + outgoing.path,
      headers: { ...headers, ...outgoing.headers },
      body: outgoing.body,
    };
    let waited = 0;
    let losses = 0;
    let renewed = false;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const proof = await prover.proof(signal);
      const request =
        proof.authorization === undefined
          ? whole
          : { ...whole, headers: { ...whole.headers, authorization: proof.authorization } };
      let answer: T | Refused;
      try {
        answer = await send(request, proof);
      } catch (error) {
        signal.throwIfAborted();
        // A connection that had gone while nobody looked says nothing about the server.
        if (error instanceof NotSent && error.stale && attempt < mostAttempts) continue;
        if (error instanceof NotSent) throw unreachable(error.cause, asked);
        const { late, reused } = error instanceof Lost ? error : { late: false, reused: false };
        if (!repeatable || late || ++losses >= mostLosses) throw lostAnswer(error, asked);
        if (!reused) await pause(200 * losses * (0.5 + chance()), signal);
        continue;
      }
      if (!('refused' in answer)) {
        this.#around.warned(answer);
        return answer;
      }
      if (answer.status === 401 && !renewed && prover.renew(proof)) {
        renewed = true;
        continue;
      }
      const problem = explained(refusalOf(answer, asked), proof.identity.certificate?.crt, this.#around.now());
      const wait = problem.told.retryAfterMs;
      const again = answer.status === 429 ? busyIsAnswer !== true : answer.status >= 500 && repeatable;
      if (!again || wait === undefined || attempt >= mostAttempts || waited + wait > patienceMs) throw problem;
      const longer = wait + 500 * chance();
      waited += longer;
      await pause(longer, signal);
    }
  }
}

/** Hundreds of requests may wait for the same one, and that is no leak; one of its own for each would be, on Node 20. */
const mayBeShared = (signal: AbortSignal): void => setMaxListeners(0, signal);

const refusedBy = (answer: Pick<Answer, 'status' | 'headers'>, text: string): Refused => {
  const retryAfter = answer.headers['retry-after'];
  return {
    refused: true,
    status: answer.status,
    text,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  };
};

/** API servers do not say why they do not know somebody; a certificate that has expired can be seen from here. */
function explained(problem: KubernetesProblem, crt: string | undefined, now: Date): KubernetesProblem {
  if (problem.code !== 'kubernetes-unauthorized' || crt === undefined) return problem;
  const { validTo, validFrom } = new X509Certificate(crt);
  const expired = new Date(validTo) < now;
  if (!expired && new Date(validFrom) <= now) return problem;
  const when = expired ? `expired on ${dayOf(validTo)}` : `is valid only from ${dayOf(validFrom)} on`;
  return new KubernetesProblem(
    'kubernetes-client-certificate-expired',
    `${problem.message.replace(/: the credentials.*$/, '')}: your client certificate ${when}.`,
    problem.told,
    { recovery: 'ask', remedy: 'Fetch a new kubeconfig:\n    ichor talos kubeconfig' },
  );
}

const dayOf = (date: string): string => new Date(date).toISOString().slice(0, 10);
