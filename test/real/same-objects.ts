// Two ways to print the same objects differ in what means nothing: the order of objects, of rules, and of verbs within one.
import type { KubeObject, PolicyRule } from '#kube'

export function comparable(objects: readonly KubeObject[]): Readonly<Record<string, unknown>> {
  const pairs = objects.map((object): readonly [string, unknown] => [idOf(object), plain(object)])
  const ids = pairs.map(([id]) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new Error(`${twice} is printed twice`)
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function idOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

type Loose = KubeObject & {
  readonly rules?: readonly Partial<PolicyRule>[]
  readonly webhooks?: readonly { readonly rules?: readonly object[] }[]
}

function plain(object: KubeObject): unknown {
  const { rules, webhooks } = object as Loose
  return JSON.parse(
    JSON.stringify({
      ...object,
      ...(rules === undefined ? {} : { rules: granted(rules) }),
      ...(webhooks === undefined
        ? {}
        : {
            webhooks: webhooks.map(webhook => ({ ...webhook, rules: webhook.rules?.map(rule => JSON.stringify(rule)).sort() })),
          }),
    }),
  )
}

/** Each thing that may be done, once. */
function granted(rules: readonly Partial<PolicyRule>[]): readonly string[] {
  const each = rules.flatMap(rule => {
    const { apiGroups = [], resources = [], verbs = [], resourceNames = [''] } = rule
    if (apiGroups.length === 0) return [JSON.stringify(rule)]
    return apiGroups.flatMap(group =>
      resources.flatMap(resource => verbs.flatMap(verb => resourceNames.map(name => `${verb} ${group}/${resource} ${name}`))),
    )
  })
  return [...new Set(each)].sort()
}
