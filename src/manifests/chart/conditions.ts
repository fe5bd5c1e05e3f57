// On which values of a chart a part of its manifests depends. What an operator needs is asked for every combination of the flags that shape
// it; whatever is there for some and not for others gets the shortest condition that says when, as an expression of Go templates. Nothing
// is said twice: a chart follows the operator because it is asked.
import { assertNever } from '#base'
import type { ShapingFlag } from '#runtime'

/** True or false in a template, by its name. */
export interface Variable {
  readonly name: string
  readonly flag: string
}

/** One way in which the flags may be set. */
export interface Setting {
  readonly args: readonly string[]
  /** Names of the variables that are true. */
  readonly holds: ReadonlySet<string>
}

/** What stands for a namespace or an object that a person will name. */
export const placeholders = {
  namespace: (flag: string): string => `ph-${flag}`,
  objectNamespace: (flag: string): string => `ph-object-${flag}`,
  anyNamespace: (flag: string): string => `ph-any-${flag}`,
  objectName: 'ph-object',
} as const

interface Option {
  readonly args: readonly string[]
  readonly holds: readonly string[]
}

export function variablesOf(shaping: readonly ShapingFlag[]): readonly Variable[] {
  const names = shaping.flatMap(flag => optionsOf(flag).flatMap(({ holds }) => holds.map(name => ({ name, flag: flag.flag }))))
  return [...new Map(names.map(variable => [variable.name, variable])).values()]
}

/** Every combination of the values of these flags. */
export function settingsOf(shaping: readonly ShapingFlag[]): readonly Setting[] {
  let settings: readonly Setting[] = [{ args: [], holds: new Set() }]
  for (const flag of shaping) {
    const options = optionsOf(flag)
    settings = settings.flatMap(({ args, holds }) =>
      options.map(option => ({ args: [...args, ...option.args], holds: new Set([...holds, ...option.holds]) })),
    )
  }
  return settings
}

/** The name of a variable in a template: `resources.services` has `services_s3` and others. */
export function variableName(flag: string, value: string): string {
  return `${flag}_${value}`.replaceAll(/[^A-Za-z0-9_]/g, '_')
}

function optionsOf(flag: ShapingFlag): readonly Option[] {
  const { flag: name } = flag
  const given = (value: string, ...values: readonly string[]): Option => ({
    args: [`--${name}=${value}`],
    holds: values.map(each => variableName(name, each)),
  })
  switch (flag.kind) {
    case 'choice':
      return flag.values.map((value, index) => (index === 0 ? given(value) : given(value, value)))
    case 'list':
      return subsetsOf(flag.items).map(items => given(items.join(','), ...items))
    case 'namespaces': {
      const one = placeholders.namespace(name)
      return [given(flag.everywhere), given(one, 'some'), given(`${one},${one}-2`, 'some', 'many')]
    }
    case 'objects': {
      const some = [`${placeholders.objectNamespace(name)}/${placeholders.objectName}`, `${placeholders.anyNamespace(name)}/*`]
      return [given(some.join(',')), given('*', 'all')]
    }
    case 'any':
      return [{ args: [], holds: [] }]
    default:
      return assertNever(flag)
  }
}

function subsetsOf(items: readonly string[]): readonly (readonly string[])[] {
  const all = items.reduce<readonly (readonly string[])[]>((sets, item) => [...sets, ...sets.map(set => [...set, item])], [[]])
  return all.filter(set => set.length > 0)
}

/** `true`, `false`, or an expression over variables: when what is `present` in some of the settings is there. */
export function conditionOf(settings: readonly Setting[], present: readonly boolean[], variables: readonly Variable[]): string {
  return expand(
    settings.map((_, index) => index),
    variables.map(({ name }) => name),
    { settings, present },
  )
}

interface Table {
  readonly settings: readonly Setting[]
  readonly present: readonly boolean[]
}

/** Shannon's expansion: by one variable after the other, leaving out those on which nothing depends. */
function expand(rows: readonly number[], names: readonly string[], table: Table): string {
  const first = table.present[rows[0] ?? 0]
  if (rows.every(row => table.present[row] === first)) return String(first === true)
  const alone = names.find(name => rows.every(row => table.settings[row]?.holds.has(name) === table.present[row]))
  if (alone !== undefined) return `$v.${alone}`
  const [name = '', ...rest] = names
  const yes = rows.filter(row => table.settings[row]?.holds.has(name))
  const no = rows.filter(row => table.settings[row]?.holds.has(name) !== true)
  if (yes.length === 0 || no.length === 0) return expand(rows, rest, table)
  const [then, otherwise] = [expand(yes, rest, table), expand(no, rest, table)]
  return then === otherwise ? then : joined(`$v.${name}`, then, otherwise)
}

function joined(variable: string, then: string, otherwise: string): string {
  if (then === 'true' && otherwise === 'false') return variable
  if (then === 'false' && otherwise === 'true') return `(not ${variable})`
  if (then === 'true') return `(or ${variable} ${otherwise})`
  if (otherwise === 'false') return `(and ${variable} ${then})`
  if (then === 'false') return `(and (not ${variable}) ${otherwise})`
  if (otherwise === 'true') return `(or (not ${variable}) ${then})`
  return `(or (and ${variable} ${then}) (and (not ${variable}) ${otherwise}))`
}
