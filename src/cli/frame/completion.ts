// `vouch completion SHELL`: a script for the shell of whoever types, made of the commands and flags that there are.
import { Argument, type Command } from 'commander'
import { borrowedFlags, flagReaders, flagsOf, lendersOf, visibleCommands } from './command-line.ts'
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
    .action(async (shell: Shell) => {
      tellText(renderCompletion(shell, completionsOf(program, await flagsReadElsewhere())))
    })
}

async function flagsReadElsewhere(): Promise<Readonly<Record<string, readonly Flag[]>>> {
  const own = await Promise.all(flagReaders.map(async name => [name, await flagsOf(name)] as const))
  const borrowed = Object.keys(borrowedFlags).map(
    async name => [name, (await Promise.all(lendersOf(name).map(flagsOf))).flat()] as const,
  )
  return Object.fromEntries([...own, ...(await Promise.all(borrowed))])
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
  const visible = visibleCommands(command)
  const commands = visible.map(one => ({ name: one.name(), summary: one.summary() || one.description() }))
  const below = visible.flatMap(one => completionsOf(one, elsewhere, `${path} ${one.name()}`.trim()))
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

/** As bash: the words typed so far are walked down the commands, so that two commands of one name are told apart. */
function renderFish(all: readonly Completions[]): string {
  const cases = all.map(
    ({ path, commands }) =>
      `    case ${quote(path)}\n      string split ' ' -- ${quote(commands.map(({ name }) => name).join(' '))}`,
  )
  const lines = all.flatMap(({ path, commands, flags }) => [
    ...commands.map(({ name, summary }) => `complete -c vouch -n '__vouch_at ${path}' -a ${name} -d ${quote(summary)}`),
    ...flags.map(({ name, summary }) => `complete -c vouch -n '__vouch_at ${path}' -l ${name.slice(2)} -d ${quote(summary)}`),
  ])
  return `function __vouch_commands
  switch "$argv[1]"
${cases.join('\n')}
  end
end
function __vouch_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    if contains -- $word (__vouch_commands "$path")
      set path (string trim -- "$path $word")
    end
  end
  test "$path" = "$argv"
end
${lines.join('\n')}
`
}

/** One line, in quotes that the shell takes as they are. */
function quote(text: string): string {
  return `'${(text.split('\n')[0] ?? '').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
