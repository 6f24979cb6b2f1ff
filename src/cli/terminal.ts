import { stripVTControlCharacters, styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'blue' | 'cyan' | 'magenta';

/** Everything a command may do to the terminal and the files around it; handed in, so that a test can hand in something else. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Colours, only when a person looks at it. */
  readonly paint: (style: Style | readonly Style[], text: string) => string;
  readonly columns: number;
  readonly interactive: boolean;
  /** A line beside the output that gives way to whatever is said next; absent: lines can only follow each other. */
  readonly passing?: (text: string) => void;
  /** A remedy, with its commands about the platform that was meant; absent: as it is. */
  readonly again?: (remedy: string) => string;
  /** Something that can be drawn on again and again; absent: lines can only follow each other. */
  readonly screen?: Screen;
  /** A line that a person types; undefined: they went away. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>;
};

export type Screen = {
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly onResize: (react: () => void) => Disposable;
  /** What is typed is not shown and not kept; Ctrl-C still says stop. */
  readonly mute: () => Disposable;
};

export type Around = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>;

export function terminal(wantsColour: boolean, again?: Terminal['again'], around: Around = process): Terminal {
  const { env, stdin, stdout, stderr } = around;
  const colour = wantsColour && stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const interactive = stdin.isTTY && stdout.isTTY && env['CI'] === undefined;
  const canDraw = env['TERM'] !== 'dumb' && env['CI'] === undefined;
  let isPassing = false;
  const pass = (text: string): void => {
    if (isPassing) stderr.write('\r\u001B[2K');
    if (text !== '') stderr.write(text);
    isPassing = text !== '';
  };
  return {
    out: (text) => {
      pass('');
      stdout.write(text);
    },
    err: (text) => {
      pass('');
      stderr.write(stderr.isTTY ? text : stripVTControlCharacters(text));
    },
    ...(stderr.isTTY && canDraw ? { passing: pass } : {}),
    paint: (style, text) =>
      colour ? styleText([...(typeof style === 'string' ? [style] : style)], text, { validateStream: false }) : text,
    columns: stdout.columns || 100,
    interactive,
    ...(again === undefined ? {} : { again }),
    ...(interactive && canDraw ? { screen: screenOf(stdin, stdout) } : {}),
    ...(interactive ? { ask: askPerson } : {}),
  };
}

const screenOf = (stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Screen => ({
  size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
  onResize: (react) => {
    stdout.on('resize', react);
    return { [Symbol.dispose]: () => void stdout.off('resize', react) };
  },
  mute: () => muted(stdin),
});

const interrupt = '\u0003';

function muted(stdin: NodeJS.ReadStream): Disposable {
  const hear = (typed: Buffer): void => {
    for (const key of typed.toString('latin1')) if (key === interrupt) process.kill(process.pid, 'SIGINT');
  };
  stdin.setRawMode(true);
  stdin.on('data', hear);
  stdin.resume();
  return {
    [Symbol.dispose]: () => {
      stdin.off('data', hear);
      stdin.pause();
      stdin.setRawMode(false);
    },
  };
}

/** The terminal edits the line itself, so that Ctrl-C stays a signal. */
async function askPerson(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, output, terminal: false });
  const gone = new Promise<undefined>((resolve) => void lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question, { signal }), gone]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    lines.close();
  }
}
