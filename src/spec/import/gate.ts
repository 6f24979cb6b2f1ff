import { Problem } from '../../model/problem.ts';
import { formatPath, type Path, type Scalar } from '../tree.ts';
import type { Note } from './foreign.ts';
import { isSecret } from './secrets.ts';
import type { Sketch } from './sketch.ts';

/** The last look at what is about to be written: whatever looks like a secret stays behind, whoever put it there. */
export function keepSecretsBack(sketch: Sketch): readonly Note[] {
  const notes: Note[] = [];
  const visit = (value: unknown, path: Path): unknown => {
    // Manifests were judged as the resources that they are.
    if (path.includes('manifests')) return value;
    if (Array.isArray(value))
      return value.map((item, index) => visit(item, [...path, index])).filter((item) => item !== undefined);
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const kept = visit(inner, [...path, key]);
        if (kept === undefined) delete (value as Record<string, unknown>)[key];
        else (value as Record<string, unknown>)[key] = kept;
      }
      return value;
    }
    const key = path.findLast((step) => typeof step === 'string') ?? '';
    if (!isSecret(key, value as Scalar)) return value;
    notes.push({
      path: formatPath(path),
      message: 'Not carried over: it looks like a secret.',
      at: sketch.originOf(path),
    });
    return undefined;
  };
  visit(sketch.spec, []);
  return notes;
}

/** What YAML's grammar says about a broken file may quote the file; of a foreign one only the place is told. */
export function discreet(problem: Problem): Problem {
  const quotes = ['yaml', 'unknown-anchor', 'complex-key', 'merge-key'].includes(problem.code);
  if (!quotes || problem.at === undefined) return problem;
  return new Problem(problem.code, 'This is not YAML as it stands.', {
    at: problem.at,
    severity: problem.severity,
    remedy:
      'Check the YAML around here: brackets and quotes are closed, and text that begins with *, & or ! stands in quotes.',
  });
}
