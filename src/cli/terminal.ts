import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'blue' | 'cyan' | 'magenta';

/** Everything a command may do to the terminal and the files around it; handed in, so that a test can hand in something else. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Colours, only when a person looks at it. */
  readonly paint: (style: Style | readonly Style[], text: string) => string;
  readonly columns: number;
  readonly interactive: boolean;
};

export function terminal(wantsColour: boolean): Terminal {
  const { env, stdin, stdout, stderr } = process;
  const colour = wantsColour && stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    paint: (style, text) =>
      colour ? styleText([...(typeof style === 'string' ? [style] : style)], text, { validateStream: false }) : text,
    columns: stdout.columns || 100,
    interactive: stdin.isTTY && stdout.isTTY && env['CI'] === undefined,
  };
}
