import type { CompletedCommand, CompletedOption, Values } from '../completion-tree.ts';

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** Completion for fish, with descriptions. */
export const fishScript = (commands: readonly CompletedCommand[]): string =>
  `# fish completion for ichor; in ~/.config/fish/config.fish: ichor completion fish | source
function __ichor_path
    set -l path ichor
    for word in (commandline -opc)[2..-1]
        switch "$path $word"
${commands.flatMap(steps).join('\n')}
        end
    end
    echo $path
end
function __ichor_at
    test (__ichor_path) = "$argv"
end
complete -c ichor -f
${commands.flatMap(lines).join('\n')}
`;

const steps = ({ path, below }: CompletedCommand): readonly string[] =>
  below.map(
    (each) =>
      `            case ${each.names.map((name) => quoted(`${path} ${name}`)).join(' ')}\n                set path ${quoted(each.path)}`,
  );

function lines({ path, options, below, values }: CompletedCommand): readonly string[] {
  const here = `complete -c ichor -n ${quoted(`__ichor_at ${path}`)}`;
  return [
    ...below.flatMap(({ names, described }) =>
      names.map((name) => `${here} -a ${quoted(name)} -d ${quoted(described)}`),
    ),
    ...(values === undefined ? [] : [`${here}${offered(values)}`]),
    ...options.map((option) => `${here}${flagsOf(option)} -d ${quoted(option.described)}`),
  ];
}

const flagsOf = ({ flags, takes, values }: CompletedOption): string =>
  [
    ...flags.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`)),
    takes ? (values?.kind === 'file' ? ' -r' : ' -x') : '',
    values === undefined ? '' : offered(values),
  ].join('');

const offered = (values: Values): string =>
  values.kind === 'words'
    ? ` -a ${quoted(values.words.join(' '))}`
    : values.kind === 'file'
      ? ' -F'
      : " -a '(__fish_complete_directories)'";
