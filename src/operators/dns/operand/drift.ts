// Whether the Deployment that is there still is the one that is wanted, and what it has to become. What the API server fills in and what
// others add is no difference; a container that is not ours is, unless it is listed.
import { isEqualJson } from '#runtime'
import type { Container, DeploymentSpec, PodSpec } from './deployment.ts'
import type { EnvVar, Volume, VolumeMount } from './request.ts'

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
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
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
  const pod: Record<string, unknown> = { ...current }
  setWhereOther(pod, 'nodeSelector', wanted.nodeSelector)
  setWhereOther(pod, 'tolerations', wanted.tolerations, sameMembers)
  setWhereOther(pod, 'imagePullSecrets', wanted.imagePullSecrets)
  setWhereOther(pod, 'priorityClassName', wanted.priorityClassName)
  if (current.serviceAccountName !== wanted.serviceAccountName) {
    pod.serviceAccountName = wanted.serviceAccountName
    // The older name of the same field would contradict it.
    if (current.serviceAccount !== undefined) pod.serviceAccount = wanted.serviceAccountName
  }
  const volumes = repairNamed(current.volumes ?? [], wanted.volumes ?? [], sameVolume)
  if (volumes !== current.volumes && (volumes.length > 0 || current.volumes !== undefined)) pod.volumes = volumes
  return { ...pod, containers: repairContainers(current.containers, wanted.containers, kept) }
}

function setWhereOther(
  target: Record<string, unknown>,
  field: string,
  wanted: unknown,
  isSame: (a: unknown, b: unknown) => boolean = isEqualJson,
): void {
  if (isSame(emptyAsAbsent(target[field]), emptyAsAbsent(wanted))) return
  if (wanted === undefined) delete target[field]
  else target[field] = wanted
}

/** `{}`, `[]` and an empty text say as little as nothing. */
function emptyAsAbsent(value: unknown): unknown {
  if (value === null || value === '') return undefined
  return typeof value === 'object' && Object.keys(value as object).length === 0 ? undefined : value
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
  const inPlace = all.toSorted((a, b) => (order.get(a.name) ?? current.length) - (order.get(b.name) ?? current.length))
  return isEqualJson(inPlace, current) ? current : inPlace
}

function repairContainer(current: Container, wanted: Container): Container {
  const container: Record<string, unknown> = { ...current }
  if (current.image !== wanted.image) container.image = wanted.image
  setWhereOther(container, 'args', wanted.args, sameMembers)
  setWhereOther(container, 'env', wanted.env, sameEnv)
  setWhereOther(container, 'ports', wanted.ports)
  setWhereOther(container, 'resources', wanted.resources)
  const mounts = repairMounts(current.volumeMounts ?? [], wanted.volumeMounts ?? [])
  if (mounts.length > 0 || current.volumeMounts !== undefined) container.volumeMounts = mounts
  const security = repairSecurity(current.securityContext, wanted.securityContext)
  if (security !== undefined) container.securityContext = security
  return container as unknown as Container
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
  const plain = (list: unknown): readonly unknown[] => (Array.isArray(list) ? (list as readonly EnvVar[]) : []).map(plainEnv)
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

/** Those that are wanted as they are wanted, in their places; others stay. The very list where nothing differs. */
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
  const isChanged = missing.length > 0 || replaced.some((one, index) => one !== current[index])
  return isChanged ? [...replaced, ...missing] : current
}

/** The mode that the API server fills in is nobody's wish. */
function sameVolume(a: Volume, b: Volume): boolean {
  return isEqualJson(withoutMode(a), withoutMode(b))
}

function withoutMode(volume: Volume): unknown {
  return Object.fromEntries(
    Object.entries(volume).map(([name, source]) => {
      if (typeof source !== 'object' || source === null) return [name, source]
      const { defaultMode: _mode, ...rest } = source as Readonly<Record<string, unknown>>
      return [name, rest]
    }),
  )
}

type Security = Readonly<Record<string, unknown>> | undefined
interface Capabilities {
  readonly add?: readonly string[]
  readonly drop?: readonly string[]
}

function repairSecurity(current: Security, wanted: Security): Security {
  if (wanted === undefined) return current
  const security: Record<string, unknown> = { ...current }
  for (const field of ['privileged', 'runAsNonRoot', 'allowPrivilegeEscalation']) {
    if (wanted[field] !== undefined) security[field] = wanted[field]
  }
  const held = (current?.capabilities ?? {}) as Capabilities
  const asked = (wanted.capabilities ?? {}) as Capabilities
  if (!sameMembers(held.add, asked.add) || !sameMembers(held.drop, asked.drop)) security.capabilities = wanted.capabilities
  const profile = wanted.seccompProfile as { readonly type?: string } | undefined
  const heldProfile = current?.seccompProfile as { readonly type?: string } | undefined
  if (profile?.type !== undefined && profile.type !== heldProfile?.type) security.seccompProfile = profile
  return isEqualJson(security, current) ? current : security
}
