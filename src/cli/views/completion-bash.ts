import type { CompletedCommand, Values } from '../completion-tree.ts';

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Completion for bash, without the package of that name. */
export const bashScript = (commands: readonly CompletedCommand[]): string =>
  `# bash completion for ichor; in ~/.bashrc: source <(ichor completion bash)
_ichor() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path=ichor i
  # Bash takes --output=json apart.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
${commands.flatMap(steps).join('\n')}
    esac
  done
  COMPREPLY=()
  compopt +o nospace 2>/dev/null
  case "$path $prev" in
${commands.flatMap(values).join('\n')}
  esac
  case $path in
${commands.map(words).join('\n')}
  esac
}
complete -F _ichor ichor
`;

const steps = ({ path, below }: CompletedCommand): readonly string[] =>
  below.map(
    (each) => `      ${each.names.map((name) => quoted(`${path} ${name}`)).join('|')}) path=${quoted(each.path)} ;;`,
  );

const values = ({ path, options }: CompletedCommand): readonly string[] =>
  options
    .filter(({ takes }) => takes)
    .map(
      ({ flags, values: wanted }) =>
        `    ${flags.map((flag) => quoted(`${path} ${flag}`)).join('|')}) ${reply(wanted)}return ;;`,
    );

function reply(wanted: Values | undefined): string {
  if (wanted === undefined) return '';
  if (wanted.kind === 'words') return `COMPREPLY=($(compgen -W ${quoted(wanted.words.join(' '))} -- "$cur")); `;
  return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -${wanted.kind === 'file' ? 'f' : 'd'} -- "$cur")); `;
}

function words({ path, options, below, values: first }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags).filter((flag) => flag.startsWith('--'));
  const names = below.flatMap((each) => each.names);
  const plain = names.length > 0 ? reply({ kind: 'words', words: names }) : reply(first);
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then ${reply({ kind: 'words', words: flags })}else ${plain === '' ? ':; ' : plain}fi ;;`;
}
