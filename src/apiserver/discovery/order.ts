// The order of groups and versions: it decides which resource a bare name such as "events" means.

const priorities: Readonly<Record<string, number | undefined>> = {
  'apiregistration.k8s.io': 19_000,
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 16_150,
}

export function groupPriority(group: string): number {
  return priorities[group] ?? 1_000
}

/** Kubernetes' own order: v2 before v1, GA before beta before alpha, everything else after, by name. */
export function isOlderVersion(a: string, b: string): boolean {
  const left = parseVersion(a)
  const right = parseVersion(b)
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return a > b
    return left === undefined
  }
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] as number) - (right[index] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** [stability, major, minor], each larger is newer. */
function parseVersion(text: string): readonly [number, number, number] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text)
  if (match === null) return undefined
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return [stability, Number(match[1]), Number(match[3] ?? 0)]
}
