// `vouch completion SHELL`: a script for the shell of whoever types, made of the commands and flags that there are.
import { Argument, type Command } from 'commander'
import { tellText } from './print.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** What can stand after these words: commands below and flags. */
export interface Completions {
  /** `aws can`; empty for the program itself. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly flags: readonly { readonly name: string; readonly summary: string }[]
}

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('prints what makes your shell complete commands and flags of vouch')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(vouch completion bash)\n  vouch completion fish > ~/.config/fish/completions/vouch.fish',
    )
    .action(async (shell: Shell) => {
      tellText(renderCompletion(shell, completionsOf(program, await flagsReadElsewhere())))
    })
}

/** Commands that read their flags themselves, since they stand in for programs whose flags are not ours. */
async function flagsReadElsewhere(): Promise<Readonly<Record<string, readonly Flag[]>>> {
  const [{ operatorFlags }, { awsFlags }] = await Promise.all([import('./operator/flags.ts'), import('#operators/pods')])
  return { operator: operatorFlags, 'webhook aws': awsFlags }
}

interface Flag {
  readonly name: string
  readonly help: string
}

export function completionsOf(
  command: Command,
  elsewhere: Readonly<Record<string, readonly Flag[]>> = {},
  path = '',
): readonly Completions[] {
  const flags = command.options.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ name: long, summary: description }],
  )
  const more = (elsewhere[path] ?? []).map(({ name, help }) => ({ name: `--${name}`, summary: help }))
  const commands = command.commands.map(one => ({ name: one.name(), summary: one.summary() || one.description() }))
  const below = command.commands.flatMap(one => completionsOf(one, elsewhere, `${path} ${one.name()}`.trim()))
  return [{ path, commands, flags: [...flags, ...more, { name: '--help', summary: 'what it does and its flags' }] }, ...below]
}

export function renderCompletion(shell: Shell, all: readonly Completions[]): string {
  if (shell === 'fish') return renderFish(all)
  const bash = renderBash(all)
  return shell === 'bash' ? bash : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

/** Walks the words typed so far down the commands; what is no command (flags and their values) is passed over. */
function renderBash(all: readonly Completions[]): string {
  const cases = (of: (one: Completions) => readonly { readonly name: string }[]): string =>
    all
      .map(
        one =>
          `    '${one.path}') echo '${of(one)
            .map(({ name }) => name)
            .join(' ')}' ;;`,
      )
      .join('\n')
  return `_vouch_commands() {
  case "$1" in
${cases(one => one.commands)}
  esac
}
_vouch_flags() {
  case "$1" in
${cases(one => one.flags)}
  esac
}
_vouch() {
  local path='' word below
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    below=" $(_vouch_commands "$path") "
    case "$below" in *" $word "*) path="\${path:+$path }$word" ;; esac
  done
  local typed="\${COMP_WORDS[COMP_CWORD]}"
  case "$typed" in
    -*) COMPREPLY=($(compgen -W "$(_vouch_flags "$path")" -- "$typed")) ;;
    *) COMPREPLY=($(compgen -W "$(_vouch_commands "$path")" -- "$typed") $(compgen -f -- "$typed")) ;;
  esac
}
complete -F _vouch vouch
`
}

function renderFish(all: readonly Completions[]): string {
  const lines = all.flatMap(({ path, commands, flags }) => {
    const seen = path === '' ? [] : path.split(' ').map(word => `__fish_seen_subcommand_from ${word}`)
    const notYet = commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`]
    const at = (conditions: readonly string[]): string => (conditions.length === 0 ? '' : ` -n '${conditions.join('; and ')}'`)
    return [
      ...commands.map(({ name, summary }) => `complete -c vouch${at([...seen, ...notYet])} -a ${name} -d ${quote(summary)}`),
      ...flags.map(
        ({ name, summary }) => `complete -c vouch${at([...seen, ...notYet])} -l ${name.slice(2)} -d ${quote(summary)}`,
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** One line, in quotes that the shell takes as they are. */
function quote(text: string): string {
  return `'${(text.split('\n')[0] ?? '').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
