// RBAC rules: what one rule allows, and whether a set of rules covers another. Pure.

export interface RbacRule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export interface ResourceAttributes {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

export interface PathAttributes {
  readonly verb: string
  readonly path: string
}

export function allowsResource(rule: RbacRule, asked: ResourceAttributes): boolean {
  return (
    has(rule.verbs, asked.verb) &&
    has(rule.apiGroups, asked.group) &&
    coversResource(rule, asked.resource, asked.subresource) &&
    (isEmpty(rule.resourceNames) || (asked.name !== '' && (rule.resourceNames as readonly string[]).includes(asked.name)))
  )
}

export function allowsPath(rule: RbacRule, asked: PathAttributes): boolean {
  return has(rule.verbs, asked.verb) && (rule.nonResourceURLs ?? []).some(pattern => coversPath(pattern, asked.path))
}

/** The atoms of `wanted` that `held` does not cover: one verb, group, resource and name each. */
export function missingRules(held: readonly RbacRule[], wanted: readonly RbacRule[]): readonly RbacRule[] {
  return wanted.flatMap(atomsOf).filter(atom => !held.some(rule => coversAtom(rule, atom)))
}

/** As the API server prints a rule in a refusal. */
export function renderRule(rule: RbacRule): string {
  const parts: string[] = []
  const add = (name: string, values: readonly string[] | undefined): void => {
    if (!isEmpty(values)) parts.push(`${name}:[${(values as readonly string[]).map(value => JSON.stringify(value)).join(' ')}]`)
  }
  add('APIGroups', rule.apiGroups)
  add('Resources', rule.resources)
  add('ResourceNames', rule.resourceNames)
  add('NonResourceURLs', rule.nonResourceURLs)
  add('Verbs', rule.verbs)
  return `{${parts.join(', ')}}`
}

/** Atoms that differ only in their verb, said together. */
export function compactRules(atoms: readonly RbacRule[]): readonly RbacRule[] {
  const byRest = new Map<string, RbacRule>()
  for (const atom of atoms) {
    const { verbs = [], ...rest } = atom
    const key = JSON.stringify(rest)
    const known = byRest.get(key)
    byRest.set(key, known === undefined ? atom : { ...rest, verbs: [...(known.verbs ?? []), ...verbs] })
  }
  return [...byRest.values()]
}

function atomsOf(rule: RbacRule): RbacRule[] {
  const atoms: RbacRule[] = []
  for (const verb of rule.verbs ?? []) {
    for (const url of rule.nonResourceURLs ?? []) atoms.push({ verbs: [verb], nonResourceURLs: [url] })
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const atom = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (isEmpty(rule.resourceNames)) atoms.push(atom)
        else for (const name of rule.resourceNames ?? []) atoms.push({ ...atom, resourceNames: [name] })
      }
    }
  }
  return atoms
}

function coversAtom(rule: RbacRule, atom: RbacRule): boolean {
  if (!has(rule.verbs, atom.verbs?.[0] as string)) return false
  const url = atom.nonResourceURLs?.[0]
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some(pattern => pattern === url || coversPath(pattern, url))
  const [resource = '', subresource = ''] = (atom.resources?.[0] ?? '').split('/')
  const name = atom.resourceNames?.[0]
  return (
    has(rule.apiGroups, atom.apiGroups?.[0] as string) &&
    coversResource(rule, resource, subresource) &&
    (isEmpty(rule.resourceNames) || (name !== undefined && (rule.resourceNames as readonly string[]).includes(name)))
  )
}

function coversResource(rule: RbacRule, resource: string, subresource: string): boolean {
  const resources = rule.resources ?? []
  if (resources.includes('*')) return true
  if (subresource === '') return resources.includes(resource)
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

function coversPath(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1))
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes(value) || values.includes('*'))
}

function isEmpty(values: readonly string[] | undefined): boolean {
  return values === undefined || values.length === 0
}
