// The types of a pod's fields as far as a pod is likely to have them wrong: upstream decodes the whole pod into types and denies what does
// not fit, and an API server never sends such. The parts that are read here are looked at in full by pod-shape.ts.
import { isObject, type PatchObject, type PatchValue, readList } from '../patch.ts'
import { findDecodeTrouble } from '../pod-shape.ts'

type FieldType = 'bool' | 'int' | 'string' | 'object' | 'list'

const ofMetadata: Readonly<Record<string, FieldType>> = {
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'int',
  deletionGracePeriodSeconds: 'int',
  finalizers: 'list',
  ownerReferences: 'list',
  managedFields: 'list',
}

const ofSpec: Readonly<Record<string, FieldType>> = {
  activeDeadlineSeconds: 'int',
  affinity: 'object',
  automountServiceAccountToken: 'bool',
  dnsConfig: 'object',
  dnsPolicy: 'string',
  enableServiceLinks: 'bool',
  ephemeralContainers: 'list',
  hostAliases: 'list',
  hostIPC: 'bool',
  hostNetwork: 'bool',
  hostPID: 'bool',
  hostUsers: 'bool',
  hostname: 'string',
  imagePullSecrets: 'list',
  nodeName: 'string',
  os: 'object',
  overhead: 'object',
  preemptionPolicy: 'string',
  priority: 'int',
  priorityClassName: 'string',
  readinessGates: 'list',
  restartPolicy: 'string',
  runtimeClassName: 'string',
  schedulerName: 'string',
  schedulingGates: 'list',
  securityContext: 'object',
  serviceAccount: 'string',
  setHostnameAsFQDN: 'bool',
  shareProcessNamespace: 'bool',
  subdomain: 'string',
  terminationGracePeriodSeconds: 'int',
  tolerations: 'list',
  topologySpreadConstraints: 'list',
}

const ofContainer: Readonly<Record<string, FieldType>> = {
  args: 'list',
  command: 'list',
  envFrom: 'list',
  image: 'string',
  imagePullPolicy: 'string',
  lifecycle: 'object',
  livenessProbe: 'object',
  ports: 'list',
  readinessProbe: 'object',
  resources: 'object',
  restartPolicy: 'string',
  securityContext: 'object',
  startupProbe: 'object',
  stdin: 'bool',
  stdinOnce: 'bool',
  terminationMessagePath: 'string',
  terminationMessagePolicy: 'string',
  tty: 'bool',
  workingDir: 'string',
}

/** The first thing that is wrong with the pod, in the upstream's way of saying it, or nothing. */
export function podTypeTrouble(pod: PatchObject): string | undefined {
  const { metadata, spec } = pod
  return (
    findDecodeTrouble(pod) ??
    fieldTrouble('ObjectMeta', 'metadata', metadata, ofMetadata) ??
    fieldTrouble('PodSpec', 'spec', spec, ofSpec) ??
    containerTrouble(spec)
  )
}

function containerTrouble(spec: PatchValue | undefined): string | undefined {
  if (!isObject(spec)) return undefined
  for (const list of ['initContainers', 'containers'])
    for (const container of readList(spec, '', list).items) {
      const trouble = fieldTrouble('Container', `spec.${list}`, container, ofContainer)
      if (trouble !== undefined) return trouble
    }
  return undefined
}

function fieldTrouble(
  type: string,
  path: string,
  value: PatchValue | undefined,
  fields: Readonly<Record<string, FieldType>>,
): string | undefined {
  if (!isObject(value)) return undefined
  for (const name in value) {
    const wanted = Object.hasOwn(fields, name) ? fields[name] : undefined
    const found = value[name]
    if (wanted !== undefined && found !== null && found !== undefined && !isOfType[wanted](found))
      return `json: cannot unmarshal ${nameOf(found)} into Go struct field ${type}.${path}.${name} of type ${wanted}`
  }
  return undefined
}

const isOfType: Readonly<Record<FieldType, (value: PatchValue) => boolean>> = {
  bool: value => typeof value === 'boolean',
  int: Number.isInteger,
  string: value => typeof value === 'string',
  object: isObject,
  list: Array.isArray,
}

function nameOf(value: PatchValue): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
