import { GrpcStatus } from '../../grpc/status.ts';

/** A pattern as Go reads it, as far as ids need it: flags are written in front, `(?i)`. */
export function goRegexp(pattern: string): RegExp {
  const [, flags = '', body = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(body, flags);
  } catch {
    throw new GrpcStatus('INVALID_ARGUMENT', `failed to compile regexp: error parsing regexp: ${fault(body)}`);
  }
}

function fault(body: string): string {
  const plain = body.replace(/\\./gs, '');
  if (body.endsWith('\\') && !plain.endsWith('\\\\')) return 'trailing backslash at end of expression: ``';
  const openClass = /\[\^?\]?[^\]]*$/.exec(plain)?.[0];
  if (openClass !== undefined) return `missing closing ]: \`${openClass}\``;
  const nested = /[*+?]([*+]+)/.exec(plain)?.[0];
  const repeated = /(?:^|[(|])([*+?])/.exec(plain)?.[1];
  if (repeated !== undefined) return `missing argument to repetition operator: \`${repeated}\``;
  if (nested !== undefined) return `invalid nested repetition operator: \`${nested}\``;
  const depth = plain.split('(').length - plain.split(')').length;
  return depth < 0 ? `unexpected ): \`${body}\`` : `missing closing ): \`${body}\``;
}
