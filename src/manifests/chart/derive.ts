// What an operator needs, as parts of a chart: each rule, CRD, webhook and object once, with the condition under which it is there. What
// depends on who installs, and where, stands as a placeholder until it is printed.
import { createHash } from 'node:crypto'
import { given } from '#base'
import type { KubeObject, Right } from '#kube'
import type { AdmissionPlace, InstallPlace, OperatorNeeds, ShapingFlag } from '#runtime'
import { conditionOf, placeholders, type Setting, settingsOf, type Variable, variablesOf } from './conditions.ts'

/** What is asked for each setting: the operator's own words. */
export type Ask = (args: readonly string[], place: InstallPlace) => Promise<OperatorNeeds>

export interface Conditional<T> {
  readonly when: string
  readonly part: T
}

/** Where a rule holds: everywhere, in one namespace, or in each of those that a flag names. */
export type RuleScope =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'namespace'; readonly namespace: string }
  | { readonly kind: 'namespaces'; readonly flag: string }
  /** The objects that a flag names one by one, and the namespaces that it names whole. */
  | { readonly kind: 'objects'; readonly flag: string }
  | { readonly kind: 'any-objects'; readonly flag: string }

export interface ScopedRule {
  readonly scope: RuleScope
  readonly group: string
  readonly resource: string
  readonly verb: string
  readonly names?: readonly string[]
}

/** A webhook configuration without its rules: the rules depend on the values, and the rest does not. */
export interface DerivedWebhook {
  readonly suffix: string
  readonly configuration: KubeObject & { readonly webhooks: readonly Asked[] }
}

export interface DerivedWebhookRule {
  readonly suffix: string
  readonly webhook: string
  readonly rule: object
}

interface Asked {
  readonly name: string
  readonly rules: readonly object[]
}

export interface DerivedChart {
  readonly variables: readonly Variable[]
  readonly rules: readonly Conditional<ScopedRule>[]
  readonly crds: readonly Conditional<KubeObject>[]
  readonly webhooks: readonly Conditional<DerivedWebhook>[]
  readonly webhookRules: readonly Conditional<DerivedWebhookRule>[]
  readonly objects: readonly Conditional<KubeObject>[]
}

export const place: InstallPlace = {
  name: 'ph-name',
  namespace: 'ph-namespace',
  labels: { 'ph-label': 'ph' },
  // A file is read before it is mounted, so what stands for it is one.
  files: {
    'clusterprofile-provider-file': '{"providers":[],"":"ph-file-clusterprofile-provider-file"}',
    'zone-config-file': '- {name: ph-file-zone-config-file.dev, id: Z1}',
  },
}

/** How a webhook's configuration says who answers, until it is known. */
const admissionPlace: AdmissionPlace = {
  name: 'ph-webhook',
  service: { namespace: 'ph-namespace', name: 'ph-service', port: 443 },
  labels: { 'ph-label': 'ph' },
  annotations: { 'ph-annotation': 'ph' },
  caBundle: 'ph-ca',
  operatorUser: 'ph-user',
}

export async function deriveChart(shaping: readonly ShapingFlag[], fixed: readonly string[], ask: Ask): Promise<DerivedChart> {
  const added = shaping.filter(isAdding)
  const asked = async (args: readonly string[]): Promise<Parts> => partsOf(await ask([...fixed, ...args], place), shaping)
  const tables = [
    await tableOf(
      shaping.filter(flag => !isAdding(flag)),
      asked,
    ),
  ]
  for (const flag of added) tables.push(await tableOfAdded(flag, shaping, asked))
  const all = <T>(of: keyof Parts): readonly Conditional<T>[] =>
    joinedParts(tables.map(table => table[of])) as readonly Conditional<T>[]
  return {
    variables: variablesOf(shaping),
    rules: all('rules'),
    crds: all('crds'),
    webhooks: all('webhooks'),
    webhookRules: all('webhookRules'),
    objects: all('objects'),
  }
}

/** What is there under one setting. */
type Parts = Readonly<Record<'rules' | 'crds' | 'webhooks' | 'webhookRules' | 'objects', readonly object[]>>
type ConditionalParts = Readonly<Record<keyof Parts, readonly Conditional<object>[]>>
type AskParts = (args: readonly string[]) => Promise<Parts>
type AddingFlag = Extract<ShapingFlag, { readonly kind: 'choice' }> & { readonly addsBy: readonly string[] }

const partNames = ['rules', 'crds', 'webhooks', 'webhookRules', 'objects'] as const

function isAdding(flag: ShapingFlag): flag is AddingFlag {
  return flag.kind === 'choice' && flag.addsBy !== undefined
}

function partsOf({ rights, crds, webhooks, objects }: OperatorNeeds, shaping: readonly ShapingFlag[]): Parts {
  const whole = webhooks.map(({ suffix, configuration }) => ({
    suffix,
    configuration: configuration(admissionPlace) as DerivedWebhook['configuration'],
  }))
  return {
    rules: rulesOf(rights.cluster, shaping),
    crds,
    webhooks: whole.map(({ suffix, configuration }) => ({
      suffix,
      configuration: { ...configuration, webhooks: configuration.webhooks.map(webhook => ({ ...webhook, rules: [] })) },
    })),
    webhookRules: whole.flatMap(({ suffix, configuration }) =>
      configuration.webhooks.flatMap(({ name, rules }) => rules.map(rule => ({ suffix, webhook: name, rule }))),
    ),
    objects,
  }
}

/** What is there under each combination of these flags. */
async function tableOf(shaping: readonly ShapingFlag[], ask: AskParts): Promise<ConditionalParts> {
  const settings = settingsOf(shaping)
  const tables = byPart(() => newTable())
  for (const [index, { args }] of settings.entries()) {
    const parts = await ask(args)
    for (const name of partNames) for (const part of parts[name]) tables[name].add(index, part)
  }
  return byPart(name => tables[name].conditional(settings, variablesOf(shaping)))
}

/** What a flag adds, by itself and the flags on which that depends; the others stay as they are by default. */
async function tableOfAdded(flag: AddingFlag, shaping: readonly ShapingFlag[], ask: AskParts): Promise<ConditionalParts> {
  const others = shaping.filter(each => flag.addsBy.includes(each.flag))
  const [off = ''] = flag.values
  return tableOf([...others, flag], async args => {
    const [parts, without] = [await ask(args), await ask([...args, `--${flag.flag}=${off}`])]
    return byPart(name => {
      const there = new Set(without[name].map(part => JSON.stringify(part)))
      return parts[name].filter(part => !there.has(JSON.stringify(part)))
    })
  })
}

function byPart<T>(of: (name: keyof Parts) => T): Readonly<Record<keyof Parts, T>> {
  return {
    rules: of('rules'),
    crds: of('crds'),
    webhooks: of('webhooks'),
    webhookRules: of('webhookRules'),
    objects: of('objects'),
  }
}

/** A part that several tables have is there where one of them says so. */
function joinedParts(tables: readonly (readonly Conditional<object>[])[]): readonly Conditional<object>[] {
  const joined = new Map<string, Conditional<object>>()
  for (const { when, part } of tables.flat()) {
    const id = JSON.stringify(part)
    const held = joined.get(id)
    joined.set(id, { part, when: held === undefined ? when : either(held.when, when) })
  }
  return [...joined.values()]
}

function either(one: string, other: string): string {
  if (one === 'true' || one === other) return one
  return other === 'true' ? other : `(or ${one} ${other})`
}

/** Derives the objects of something that is no operator and has choices as well. */
export async function deriveObjects(
  shaping: readonly ShapingFlag[],
  ask: (args: readonly string[]) => Promise<readonly KubeObject[]>,
): Promise<readonly Conditional<KubeObject>[]> {
  const settings = settingsOf(shaping)
  const table = newTable()
  for (const [index, { args }] of settings.entries()) for (const object of await ask(args)) table.add(index, object)
  return table.conditional(settings, variablesOf(shaping)) as readonly Conditional<KubeObject>[]
}

interface Table {
  add(setting: number, part: object): void
  conditional(settings: readonly Setting[], variables: readonly Variable[]): readonly Conditional<object>[]
}

function newTable(): Table {
  const parts = new Map<string, { readonly part: object; readonly at: Set<number> }>()
  // Shared constants come again and again, and some of them are large.
  const ids = new WeakMap<object, string>()
  const idOf = (part: object): string => {
    const known = ids.get(part)
    if (known !== undefined) return known
    const id = createHash('sha256').update(JSON.stringify(part)).digest('hex')
    ids.set(part, id)
    return id
  }
  return {
    add: (setting, part) => {
      const id = idOf(part)
      const held = parts.get(id)
      if (held === undefined) parts.set(id, { part, at: new Set([setting]) })
      else held.at.add(setting)
    },
    conditional: (settings, variables) => {
      const conditions = new Map<string, string>()
      return [...parts.values()].map(({ part, at }) => {
        const present = settings.map((_, index) => at.has(index))
        const key = present.map(Number).join('')
        const when = conditions.get(key) ?? conditionOf(settings, present, variables)
        conditions.set(key, when)
        return { when, part }
      })
    },
  }
}

/** The rights as rules with one verb each, so that two rights for the same thing never hide each other. */
function rulesOf(rights: readonly Right[], shaping: readonly ShapingFlag[]): readonly ScopedRule[] {
  return rights.flatMap(({ group, resource, verbs, names, within }) =>
    scopesOf(within, shaping).flatMap(scope =>
      verbs.map(verb => ({
        scope,
        group,
        resource,
        verb,
        ...given({ names }),
      })),
    ),
  )
}

function scopesOf(within: readonly string[] | undefined, shaping: readonly ShapingFlag[]): readonly RuleScope[] {
  if (within === undefined) return [{ kind: 'cluster' }]
  const found = within.map((namespace): RuleScope => {
    for (const { flag } of shaping) {
      if (namespace === placeholders.namespace(flag) || namespace === `${placeholders.namespace(flag)}-2`)
        return { kind: 'namespaces', flag }
      if (namespace === placeholders.objectNamespace(flag)) return { kind: 'objects', flag }
      if (namespace === placeholders.anyNamespace(flag)) return { kind: 'any-objects', flag }
    }
    return { kind: 'namespace', namespace }
  })
  return [...new Map(found.map(scope => [JSON.stringify(scope), scope])).values()]
}
