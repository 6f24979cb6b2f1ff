import { posix } from 'node:path';
import { globalsOf, importsOf, type Import } from './source.ts';
import { doorways, entropy, forgetful, pureModules, rooms, worldly, type Room } from './table.ts';

/** Which room a file of src/ is in: its folder, or its own name where it lies in no folder. */
export const roomOf = (file: string): string =>
  file
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0] ?? '';

/** The outside system that a file of a reaching room is about; undefined for what lies directly in the room. */
const systemOf = (file: string): string | undefined => file.split('/').slice(2, -1)[0];

const isContract = (file: string): boolean =>
  ['providers', 'clients', 'state'].includes(roomOf(file)) && systemOf(file) === undefined;

/** Everything that a file does and its room may not, each with the reason. */
export function violations(file: string, source: string): readonly string[] {
  const name = roomOf(file);
  const room = rooms[name];
  if (room === undefined)
    return [`${file}: there is no room "${name}"; add it to test/rooms/table.ts with what it may do.`];
  const sentence = (line: number, what: string): string =>
    `${file}:${line} ${what}: ${name} may not, because ${room.because}.`;
  const found = importsOf(source).flatMap((imported) => {
    const what = wrongImport(file, room, imported);
    return what === undefined ? [] : [sentence(imported.line, what)];
  });
  const globals = [...(room.node === 'pure' ? worldly : []), ...(room.console ? [] : doorways)];
  return [
    ...found,
    ...globalsOf(source, globals).map(({ name: used, line }) => sentence(line, `uses ${used.replaceAll('\\', '')}`)),
    ...(name === 'lab' ? [] : globalsOf(source, forgetful.names)).map(
      ({ name: used, line }) => `${file}:${line} uses ${used}: ${forgetful.instead}`,
    ),
  ];
}

function wrongImport(file: string, room: Room, imported: Import): string | undefined {
  if (imported.from.startsWith('.')) return wrongFile(file, room, imported);
  if (imported.from.startsWith('node:')) return wrongModule(room, imported);
  const named = /^(@[^/]+\/)?[^/]+/.exec(imported.from)?.[0] ?? imported.from;
  return room.packages?.includes(named) ? undefined : `imports the package ${named}`;
}

function wrongFile(file: string, room: Room, { from, kind }: Import): string | undefined {
  const target = posix.join(posix.dirname(file), from);
  if (!target.startsWith('src/')) return `imports ${target}, which is no part of the product`;
  const targetRoom = roomOf(target);
  if (targetRoom === roomOf(file)) {
    const [own, other] = [systemOf(file), systemOf(target)];
    return room.apart && other !== undefined && own !== other ? `imports ${target}` : undefined;
  }
  if (room.imports === 'everything') return undefined;
  const allowed = room.imports.includes(targetRoom) || (room.imports.includes('contracts') && isContract(target));
  if (!allowed) return `imports ${target}`;
  return room.lazily?.includes(targetRoom) && kind === 'static' ? `imports ${target} before it is needed` : undefined;
}

function wrongModule(room: Room, { from, names, kind }: Import): string | undefined {
  if (room.node === 'all' || kind === 'type') return undefined;
  if (!pureModules.includes(from)) return `imports ${from}`;
  if (from !== 'node:crypto') return undefined;
  if (names === undefined) return `imports all of ${from}`;
  const random = names.find((item) => entropy.test(item));
  return random === undefined ? undefined : `imports ${random} of ${from}`;
}
