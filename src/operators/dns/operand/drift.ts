// Whether the Deployment that is there still is the one that is wanted, and what it has to become. What the API server fills in and what
// others add is no difference; a container that is not ours is, unless it is listed.
import { given } from '#base'
import { isEqualJson } from '#runtime'
import type { Container, DeploymentSpec, PodSpec, SecurityContext } from './deployment.ts'
import type { EnvVar, OperandVolume, VolumeMount } from './request.ts'

/** What it has to become; undefined when it is well. `kept` names foreign containers that stay. */
export function repaired(
  current: DeploymentSpec,
  wanted: DeploymentSpec,
  kept: ReadonlySet<string> = new Set(),
): DeploymentSpec | undefined {
  const spec: DeploymentSpec = {
    ...current,
    replicas: wanted.replicas ?? 1,
    strategy: repairStrategy(current.strategy, wanted.strategy),
    template: repairTemplate(current.template, wanted.template, kept),
  }
  return isEqualJson(spec, current) ? undefined : spec
}

type Strategy = NonNullable<DeploymentSpec['strategy']>

function repairStrategy(current: Strategy = {}, wanted: Strategy = {}): Strategy {
  const isLeft = wanted.type === 'Recreate' && current.rollingUpdate !== undefined && current.rollingUpdate !== null
  return current.type === wanted.type && !isLeft ? current : wanted
}

type Template = DeploymentSpec['template']

function repairTemplate(current: Template, wanted: Template, kept: ReadonlySet<string>): Template {
  const labels = withWanted(current.metadata?.labels, wanted.metadata?.labels)
  const annotations = withWanted(current.metadata?.annotations, wanted.metadata?.annotations)
  const metadata = {
    ...current.metadata,
    ...given({ labels, annotations }),
  }
  return {
    ...current,
    ...(current.metadata === undefined && Object.keys(metadata).length === 0 ? {} : { metadata }),
    spec: repairPod(current.spec, wanted.spec, kept),
  }
}

type Texts = Readonly<Record<string, string>>

function withWanted(current: Texts | undefined, wanted: Texts | undefined): Texts | undefined {
  return wanted === undefined ? current : { ...current, ...wanted }
}

function repairPod(current: PodSpec, wanted: PodSpec, kept: ReadonlySet<string>): PodSpec {
  let pod = withField(current, 'nodeSelector', wanted.nodeSelector)
  pod = withField(pod, 'tolerations', wanted.tolerations, sameMembers)
  pod = withField(pod, 'imagePullSecrets', wanted.imagePullSecrets)
  pod = withField(pod, 'priorityClassName', wanted.priorityClassName)
  pod = withField(pod, 'serviceAccountName', wanted.serviceAccountName)
  // The older name of the same field would contradict it.
  if (pod.serviceAccount !== undefined) pod = withField(pod, 'serviceAccount', wanted.serviceAccountName)
  const volumes = repairNamed(current.volumes ?? [], wanted.volumes ?? [], sameVolume)
  if (volumes.length > 0 || current.volumes !== undefined) pod = { ...pod, volumes }
  return { ...pod, containers: repairContainers(current.containers, wanted.containers, kept) }
}

/** With the field as it is wanted, where it says something else. */
function withField<T extends object, K extends keyof T>(
  target: T,
  field: K,
  wanted: T[K] | undefined,
  isSame: (a: unknown, b: unknown) => boolean = isEqualJson,
): T {
  if (isSame(emptyAsAbsent(target[field]), emptyAsAbsent(wanted))) return target
  const changed = { ...target }
  if (wanted === undefined) Reflect.deleteProperty(changed, field)
  else changed[field] = wanted
  return changed
}

/** `{}`, `[]` and an empty text say as little as nothing. */
function emptyAsAbsent(value: unknown): unknown {
  if (value === null || value === '') return undefined
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value
}

function repairContainers(
  current: readonly Container[],
  wanted: readonly Container[],
  kept: ReadonlySet<string>,
): readonly Container[] {
  const repairedOnes = wanted.map(container => {
    const there = current.find(({ name }) => name === container.name)
    return there === undefined ? container : repairContainer(there, container)
  })
  const foreign = current.filter(({ name }) => kept.has(name) && !wanted.some(container => container.name === name))
  const all = [...repairedOnes, ...foreign]
  // Ports belong to places in the list of zones, not to places in the Deployment: the order there is nobody's business.
  const order = new Map(current.map(({ name }, index) => [name, index]))
  return all.toSorted((a, b) => (order.get(a.name) ?? current.length) - (order.get(b.name) ?? current.length))
}

function repairContainer(current: Container, wanted: Container): Container {
  let container = withField(current, 'image', wanted.image)
  container = withField(container, 'args', wanted.args, sameMembers)
  container = withField(container, 'env', wanted.env, (a, b) => sameEnv(a, b))
  container = withField(container, 'ports', wanted.ports)
  container = withField(container, 'resources', wanted.resources)
  const mounts = repairMounts(current.volumeMounts ?? [], wanted.volumeMounts ?? [])
  if (mounts.length > 0 || current.volumeMounts !== undefined) container = { ...container, volumeMounts: mounts }
  const security = repairSecurity(current.securityContext, wanted.securityContext)
  return security === undefined ? container : { ...container, securityContext: security }
}

/** Each as often as in the other, in any order. */
function sameMembers(a: unknown, b: unknown): boolean {
  const texts = (list: unknown): readonly string[] =>
    (Array.isArray(list) ? list : []).map(member => JSON.stringify(sortedKeys(member))).sort()
  return isEqualJson(texts(a), texts(b))
}

function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sameEnv(a: unknown, b: unknown): boolean {
  const plain = (list: unknown): readonly unknown[] => ((list ?? []) as readonly EnvVar[]).map(plainEnv)
  return sameMembers(plain(a), plain(b))
}

/** An empty value is as good as none. */
function plainEnv({ name, value, valueFrom }: EnvVar): unknown {
  return { name, value: value ?? '', valueFrom: JSON.stringify(canonicalSource(valueFrom)) }
}

function canonicalSource(source: object | undefined): unknown {
  if (source === undefined || source === null) return null
  return Object.entries(source).map(([kind, fields]) => [kind, sortedKeys(fields)])
}

function repairMounts(current: readonly VolumeMount[], wanted: readonly VolumeMount[]): readonly VolumeMount[] {
  return repairNamed(current, wanted, (a, b) => a.mountPath === b.mountPath && (a.readOnly ?? false) === (b.readOnly ?? false))
}

/** Those that are wanted as they are wanted, in their places; others stay. */
function repairNamed<T extends { readonly name: string }>(
  current: readonly T[],
  wanted: readonly T[],
  isSame: (a: T, b: T) => boolean,
): readonly T[] {
  const replaced = current.map(there => {
    const one = wanted.find(({ name }) => name === there.name)
    return one === undefined || isSame(there, one) ? there : one
  })
  const missing = wanted.filter(({ name }) => !current.some(there => there.name === name))
  return [...replaced, ...missing]
}

/** The mode that the API server fills in is nobody's wish. */
function sameVolume(a: OperandVolume, b: OperandVolume): boolean {
  return isEqualJson(withoutMode(a), withoutMode(b))
}

function withoutMode(volume: OperandVolume): unknown {
  return Object.fromEntries(
    Object.entries(volume).map(([name, source]) => {
      if (typeof source !== 'object' || source === null) return [name, source]
      const kept = Object.entries(source).filter(([field]) => field !== 'defaultMode')
      return [name, Object.fromEntries(kept)]
    }),
  )
}

type Security = SecurityContext | undefined

/** Booleans and the profile only where they are wanted; capabilities as sets. */
function repairSecurity(current: Security, wanted: Security): Security {
  if (wanted === undefined) return current
  let security: SecurityContext = current ?? {}
  for (const field of ['privileged', 'runAsNonRoot', 'allowPrivilegeEscalation'] as const) {
    if (wanted[field] !== undefined) security = withField(security, field, wanted[field])
  }
  const [held = {}, asked = {}] = [security.capabilities, wanted.capabilities]
  if (!sameMembers(held.add, asked.add) || !sameMembers(held.drop, asked.drop))
    security = withField(security, 'capabilities', wanted.capabilities)
  const { seccompProfile: profile } = wanted
  const isOther = profile?.type !== undefined && profile.type !== security.seccompProfile?.type
  return isOther ? { ...security, seccompProfile: profile } : security
}
