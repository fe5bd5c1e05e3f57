// The order of groups and versions: it decides which resource a bare name such as "events" means.

const groups: readonly string[] = [
  'apiregistration.k8s.io',
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

/** The smaller comes first; groups that the server does not know by name come last, all alike. */
export function groupRank(group: string): number {
  return groups.includes(group) ? groups.indexOf(group) : groups.length
}

/** Kubernetes' own order: v2 before v1, GA before beta before alpha, everything else after, by name. */
export function isOlderVersion(a: string, b: string): boolean {
  const left = parseVersion(a)
  const right = parseVersion(b)
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return a > b
    return left === undefined
  }
  const index = left.findIndex((part, at) => part !== right[at])
  return index >= 0 && (left[index] as number) < (right[index] as number)
}

const stabilities = ['alpha', 'beta', undefined]

/** [stability, major, minor], each larger is newer. */
function parseVersion(text: string): readonly [number, number, number] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text)
  if (match === null) return undefined
  return [stabilities.indexOf(match[2]), Number(match[1]), Number(match[3] ?? 0)]
}
