import type { CompletedCommand, Values } from '../completion-tree.ts';
import { quoted } from './completion-bash.ts';

/** Completion for zsh, with descriptions. */
export const zshScript = (commands: readonly CompletedCommand[]): string =>
  `#compdef ichor
# zsh completion for ichor; in ~/.zshrc, after compinit: source <(ichor completion zsh)
_ichor() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} where=ichor i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$where \${words[i]}" in
${commands.flatMap(steps).join('\n')}
    esac
  done
  if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; fi
  case "$where $prev" in
${commands.flatMap(values).join('\n')}
  esac
  case $where in
${commands.map(words).join('\n')}
  esac
}
if [[ \${funcstack[1]-} == _ichor ]]; then _ichor "$@"; else compdef _ichor ichor; fi
`;

const steps = ({ path, below }: CompletedCommand): readonly string[] =>
  below.map(
    (each) => `      ${each.names.map((name) => quoted(`${path} ${name}`)).join('|')}) where=${quoted(each.path)} ;;`,
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
  if (wanted.kind === 'words') return `compadd -- ${wanted.words.map(quoted).join(' ')}; `;
  return wanted.kind === 'file' ? '_files; ' : '_files -/; ';
}

/** A colon parts a word from what it means. */
const described = (word: string, text: string): string => quoted(`${word}:${text}`);

function words({ path, options, below, values: first }: CompletedCommand): string {
  const flags = options.flatMap((option) =>
    option.flags.filter((flag) => flag.startsWith('--')).map((flag) => described(flag, option.described)),
  );
  const names = below.flatMap((each) => each.names.map((name) => described(name, each.described)));
  const plain = names.length > 0 ? `found=(${names.join(' ')}); _describe command found; ` : reply(first) || ':; ';
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then found=(${flags.join(' ')}); _describe option found; else ${plain}fi ;;`;
}
