// `npm run reference`: writes the pages of docs/reference that are made of the program itself; test/house/reference.test.ts fails when one of
// them is not what would be written.
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import type { Flag, FlagGroup } from '#base'
import { processFlags, sidecarFlags } from '#credentials'
import { awsFlags, azureFlags, bothFlags } from '#operators/pods'
import { lendersOf, providerOf } from '../src/cli/frame/command-line.ts'
import { examples } from '../src/cli/frame/examples.ts'
import { exitCodes, nameOf } from '../src/cli/frame/exit-codes.ts'
import { createProgram } from '../src/cli/frame/program.ts'
import { operatorFlagGroups } from '../src/cli/operator/flags.ts'
import { filesAsInstalled, needsOf, settingsAsInstalled } from '../src/cli/operator/installed.ts'
import { operators } from '../src/cli/operators.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const top = join(import.meta.dirname, '..')
const made = '<!-- Made by `npm run reference`. -->'

/** Where the page goes, and what it says. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/commands.md': commandsPage,
  'docs/reference/kinds.md': kindsPage,
  'docs/reference/metrics.md': metricsPage,
}

/** Of commands that take the flags of a program that they stand in for. A group without a title is the only one. */
const ownFlags: Readonly<Record<string, readonly FlagGroup[]>> = {
  operator: operatorFlagGroups(),
  'webhook aws': [{ title: '', flags: awsFlags }],
  'webhook azure': [{ title: '', flags: azureFlags }],
  'webhook both': [{ title: '', flags: bothFlags }],
  'credential-process': [{ title: '', flags: processFlags }],
  sidecar: [{ title: '', flags: sidecarFlags }],
}

function commandsPage(): string {
  const commands = below(createProgram()).filter(command => !isHidden(command))
  const sections = commands.map(command => {
    const name = nameOf(command)
    const tables = ownFlags[name]?.map(groupTable) ?? [table(command.options.filter(({ hidden }) => !hidden).map(optionRow))]
    const [lender, ...others] = lendersOf(name)
    const shown = examples[name] ?? []
    return [
      `## vouch ${name}`,
      `${upper(command.description())}.`,
      ...(command.registeredArguments.length > 0 && ownFlags[name] === undefined ? [`\`vouch ${name} ${command.usage()}\``] : []),
      ...(lender === undefined
        ? []
        : [`It takes the flags of [vouch ${lender}](#vouch-${lender.replaceAll(' ', '-')}) as well.`]),
      ...others.map(
        other =>
          `With \`--provider ${providerOf(other)}\` it takes those of [vouch ${other}](#vouch-${other.replaceAll(' ', '-')}) instead.`,
      ),
      ...(shown.length === 0 ? [] : [`\`\`\`sh\n${shown.map(({ what, line }) => `# ${what}\n${line}`).join('\n')}\n\`\`\``]),
      ...(name === 'operator' ? [operatorsList()] : []),
      ...tables.filter(text => text !== ''),
    ].join('\n\n')
  })
  const text = `Every command, its flags and how it ends. The same for all of them: flags stand anywhere after the command, as \`--name=value\` or
\`--name value\`; commands that take the flags of another one take them with or without \`--\` before them; a kind is named in any case and
number, by its short name or with its group, as kubectl takes it; why something could not be done and what to do stands on standard error.
In a checkout \`vouch\` is the alias of the [README](../../README.md#commands).

## Exit codes

${exitCodeTable(commands.map(nameOf))}`
  return `# Reference: commands\n\n${made}\n\n${text}\n\n${sections.join('\n\n')}\n`
}

/** Commands that end in the same ways share a row. */
function exitCodeTable(names: readonly string[]): string {
  const rows = new Map<string, string[]>()
  for (const name of names) {
    const ways = Object.values(exitCodes[name] ?? {})
    const cells = ways.map(([code, when]) => `\`${code}\` ${when}`).join('<br>')
    rows.set(cells, [...(rows.get(cells) ?? []), `\`${name}\``])
  }
  return ['| command | ends with |', '|---|---|', ...[...rows].map(([cells, of]) => `| ${of.join(', ')} | ${cells} |`)].join('\n')
}

function groupTable({ title, flags }: FlagGroup): string {
  return `${title === '' ? '' : `**${title}**\n\n`}${table(flags.map(flagRow))}`
}

function table(rows: readonly string[]): string {
  return rows.length === 0 ? '' : ['| flag | default | |', '|---|---|---|', ...rows].join('\n')
}

function operatorsList(): string {
  const lines = operators.map(({ name, summary, lease }) => `- \`${name}\`: ${summary}. Lease \`${lease}\`.`)
  const examples = operators.flatMap(operator => operator.examples).map(({ what, line }) => `# ${what}\n${line}`)
  return `The operators:\n\n${lines.join('\n')}\n\n\`\`\`sh\n${examples.join('\n')}\n\`\`\``
}

function below(command: Command): readonly Command[] {
  return command.commands.flatMap(one => [one, ...below(one)])
}

/** Commander knows it and does not say it. */
function isHidden(command: Command): boolean {
  return (command as unknown as { readonly _hidden: boolean })._hidden
}

function optionRow({ flags, description, defaultValue, mandatory, argChoices }: Option): string {
  const isEmpty =
    defaultValue === undefined || defaultValue === false || /^(?:\[\]|\{\}|true)$/.test(JSON.stringify(defaultValue))
  const otherwise = mandatory ? 'required' : isEmpty ? '' : `\`${String(defaultValue)}\``
  const choices = argChoices === undefined ? '' : `: ${argChoices.map(choice => `\`${choice}\``).join(', ')}`
  return `| \`${flags}\` | ${cell(otherwise)} | ${cell(description)}${choices} |`
}

function flagRow({ name, otherwise, help, isIgnored }: Flag): string {
  const dashes = name.length === 1 ? '-' : '--'
  return `| \`${dashes}${name}\` | ${otherwise === '' ? '' : `\`${cell(otherwise)}\``} | ${cell(isIgnored === true ? 'accepted, without effect' : help)} |`
}

interface Node {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly 'x-kubernetes-validations'?: readonly { readonly message?: string; readonly rule: string }[]
}

/** Kinds of AWS are not among them: they come from API models, and `vouch infer explain` tells them. */
async function kindsPage(): Promise<string> {
  const place = { name: 'vouch', namespace: 'vouch-system', labels: {}, files: filesAsInstalled() }
  const needs = await needsOf(settingsAsInstalled({ AWS_REGION: 'us-east-1' }), place)
  const definitions = needs.flatMap(({ crds }) => crds) as unknown as readonly Definition[]
  const sections = definitions.filter(({ spec }) => !spec.group.endsWith('services.k8s.aws')).map(kindSection)
  const text = `Fields, defaults and rules as the API server enforces them; \`kubectl explain\` says the same. Conditions stand in the page
of their operator, such as [identity.md](identity.md); kinds of AWS are told by \`vouch infer explain\`.`
  return `# Reference: kinds\n\n${made}\n\n${text}\n\n${sections.join('\n\n')}\n`
}

/** As much of a definition as the page tells. */
interface Definition {
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: { readonly kind: string; readonly plural: string; readonly shortNames?: readonly string[] }
    readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: Node } }[]
  }
}

function kindSection({ spec }: Definition): string {
  const { kind, shortNames = [], plural } = spec.names
  const [version] = spec.versions
  const root = version?.schema?.openAPIV3Schema
  const parts = ['spec', 'status'] as const
  const rows = parts.flatMap(part => {
    const node = root?.properties?.[part]
    return node?.type === undefined ? [] : fieldRows(part, node, false)
  })
  const rules = rulesOf('', root ?? {})
  return [
    `## ${kind}`,
    `\`${plural}.${spec.group}/${version?.name}\`${shortNames.length > 0 ? `, short: ${shortNames.map(name => `\`${name}\``).join(', ')}` : ''}; ${spec.scope}.`,
    ['| field | type | |', '|---|---|---|', ...rows].join('\n'),
    ...(rules.length === 0 ? [] : [`Rules:\n\n${rules.map(rule => `- ${rule}`).join('\n')}`]),
  ].join('\n\n')
}

function fieldRows(path: string, node: Node, isRequired: boolean): readonly string[] {
  const { type = '', description = '', enum: choices, default: otherwise, items, properties = {} } = node
  const notes = [
    isRequired ? 'required' : '',
    choices === undefined ? '' : choices.map(choice => `\`${String(choice)}\``).join(', '),
    otherwise === undefined ? '' : `default \`${JSON.stringify(otherwise)}\``,
  ].filter(note => note !== '')
  const own = `| \`${path}\` | ${items === undefined ? type : `list of ${items.type ?? ''}`} | ${cell([description, ...notes].filter(text => text !== '').join(' · '))} |`
  // Everybody's conditions have the same fields.
  if (path.endsWith('conditions')) return [own]
  const nested = items?.properties ?? properties
  const required = items?.required ?? node.required ?? []
  const prefix = items === undefined ? path : `${path}[]`
  return [own, ...Object.entries(nested).flatMap(([name, one]) => fieldRows(`${prefix}.${name}`, one, required.includes(name)))]
}

function rulesOf(path: string, node: Node): readonly string[] {
  const own = (node['x-kubernetes-validations'] ?? []).map(({ message, rule }) => message ?? `\`${rule}\``)
  const nested = Object.entries(node.properties ?? {}).flatMap(([name, one]) => rulesOf(`${path}.${name}`, one))
  return [...new Set([...own, ...nested, ...(node.items === undefined ? [] : rulesOf(`${path}[]`, node.items))])]
}

/** Each operator, and what is in every process. */
const rooms: readonly (readonly [folder: string, title: string])[] = [
  ...readdirSync(join(top, 'src/operators'))
    .sort()
    .map(name => [`src/operators/${name}`, upper(name)] as const),
  ['src/runtime', 'The engine, in every process'],
  ['src/cli', 'The process'],
]

/** Read from where they are made, since a process makes only those that it needs. */
function metricsPage(): string {
  const sections = rooms.flatMap(([folder, title]) => {
    const files = globSync(`${folder}/**/*.ts`, { cwd: top, exclude: ['**/*.test.ts'] })
    const rows = new Map(files.flatMap(file => metricsIn(readFileSync(join(top, file), 'utf8'))))
    if (rows.size === 0) return []
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
    return [`## ${title}\n\n${['| metric | type | |', '|---|---|---|', ...sorted].join('\n')}`]
  })
  const text = `\`vouch operator --metrics-bind-address\` and the webhook's \`--metrics-port\` show them; [telemetry](../guides/telemetry.md) sends them.`
  return `# Reference: metrics\n\n${made}\n\n${text}\n\n${sections.join('\n\n')}\n`
}

export function metricsIn(source: string): readonly (readonly [name: string, row: string])[] {
  const calls = source.matchAll(/\.(counter|gauge|histogram|summary)\(\s*'([a-z_]+)',\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/g)
  return [...calls].map(([, type = '', name = '', , help = '']) => [
    name,
    `| \`${name}\` | ${type} | ${cell(help.replaceAll("\\'", "'"))} |`,
  ])
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

if (import.meta.main) {
  takeFlags(commands['reference'])
  for (const [name, page] of Object.entries(pages)) writeFileSync(join(top, name), await page())
}
