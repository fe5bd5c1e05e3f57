// FieldExport: writes a field of a resource into a key of a ConfigMap or Secret that is there already, and takes it away again.
import {
  configMaps,
  findCondition,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  renderKey,
  type StoredObject,
  secrets,
} from '#kube'
import {
  type Action,
  type AnyController,
  type ClaimKey,
  defineController,
  emptyPlan,
  failuresOf,
  indexBy,
  type Plan,
  type Reads,
  type Report,
  type ReportInput,
  type Watch,
} from '#runtime'
import { conditions, type Resource } from '../api.ts'
import { readyOf } from '../at-rest.ts'
import { type FieldExport, type FieldExportSpec, fieldExportKind } from './api.ts'
import { PathError, type PathStep, parseFieldPath, valueAtPath } from './field-path.ts'

const finalizer = 'finalizers.services.k8s.aws/FieldExport'
const sourceIndex = 'source of field-export'

interface Target extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

export interface Exporting {
  readonly claim: FieldExport | undefined
  readonly source: Resource | undefined
  readonly isServed: boolean
  readonly target: (Target & StoredObject) | undefined
  readonly crossNamespace: boolean
}

export interface FieldExportOptions {
  readonly crossNamespace: boolean
  /** Which objects of the kinds are seen. */
  readonly scope: Pick<Watch, 'namespaces' | 'labelSelector'>
}

export function fieldExportController(
  kinds: readonly ResourceType[],
  { crossNamespace, scope }: FieldExportOptions,
): AnyController {
  return defineController<Exporting>({
    name: 'resources-field-export',
    fieldManager: 'vouch-resources',
    claims: {
      type: fieldExportKind.type,
      optional: true,
      ...(scope.namespaces === undefined ? {} : { namespaces: scope.namespaces }),
      indexes: {
        [sourceIndex]: indexBy<FieldExport>(claim =>
          claim.spec === undefined ? [] : [sourceOf(claim, claim.spec.from.resource)],
        ),
      },
    },
    watches: kinds.map(type => ({ ...sourceWatch(type), ...scope })),
    status: { kind: 'subresource', observedGeneration: false, conditionGeneration: false },
    reconciler: {
      observe: (key, reads, signal) => observe(key, { reads, signal, kinds, crossNamespace }),
      decide: decideExport,
      report: reportExport,
    },
  })
}

function sourceOf({ metadata }: StoredObject, { group, kind, name }: FieldExportSpec['from']['resource']): string {
  return `${group}/${kind}/${metadata.namespace ?? ''}/${name}`
}

function sourceWatch(type: ResourceType): Watch {
  return {
    type,
    optional: true,
    toClaims: (source, world) =>
      world
        .byIndex(fieldExportKind.type, sourceIndex, sourceOf(source, { ...type, name: source.metadata.name }))
        .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
  }
}

interface Context {
  readonly reads: Reads
  readonly signal: AbortSignal
  readonly kinds: readonly ResourceType[]
  readonly crossNamespace: boolean
}

async function observe(key: ClaimKey, { reads, signal, kinds, crossNamespace }: Context): Promise<Exporting> {
  const claim = reads.find<FieldExport>(fieldExportKind.type, key)
  const nothing = { claim, source: undefined, isServed: false, target: undefined, crossNamespace }
  if (!isWhole(claim)) return nothing
  const { group, kind, name } = claim.spec.from.resource
  const type = kinds.find(each => each.group === group && each.kind === kind)
  const isServed = type !== undefined && reads.isSynced(type)
  const source = isServed ? reads.find<Resource>(type, { namespace: key.namespace, name }) : undefined
  const target = mayReach(claim, crossNamespace)
    ? await reads.read<Target>(targetType(claim), targetKey(claim), signal)
    : undefined
  return { ...nothing, isServed, source, target }
}

export function decideExport(seen: Exporting): Plan {
  const { claim, source, target } = seen
  if (claim === undefined) return emptyPlan
  const { metadata } = claim
  const isHeld = metadata.finalizers?.includes(finalizer) ?? false
  if (!isWhole(claim)) {
    if (metadata.deletionTimestamp === undefined) return say({ how: 'stop', message: 'spec is missing' })
    return isHeld ? { ...emptyPlan, actions: [release(claim)] } : emptyPlan
  }
  const { spec } = claim
  const key = spec.to.key ?? `${metadata.namespace ?? ''}.${metadata.name}`
  const held = target?.data?.[key]
  if (metadata.deletionTimestamp !== undefined) {
    if (!isHeld) return emptyPlan
    if (held !== undefined && target !== undefined) return { ...emptyPlan, actions: [put(claim, target, key, null)], next: again }
    return { ...emptyPlan, actions: [release(claim)] }
  }
  const problem = problemOf(claim, seen)
  if (problem !== undefined) return say(problem)
  const text = exported(source, spec.from.path)
  if (typeof text !== 'string') return say(text)
  const wanted = spec.to.kind === 'secret' ? Buffer.from(text, 'utf8').toString('base64') : text
  const hold: Action[] = isHeld ? [] : [{ kind: 'add-finalizer', type: fieldExportKind.type, object: claim, finalizer }]
  const write = held === wanted || target === undefined ? [] : [put(claim, target, key, wanted)]
  const synced = { type: conditions.synced, status: 'True', reason: 'Exported', message: '' } as const
  return { actions: [...hold, ...write], conditions: [synced, readyOf([synced])], next: { kind: 'await-change' } }
}

const again = { kind: 'look-again', afterMs: 0, why: 'see the key gone' } as const

/** `wait`: a change of the source, or of this object, tells us. `look`: for what nothing tells us of. */
interface Problem {
  readonly how: 'wait' | 'look' | 'stop'
  readonly message: string
}

/** What the path leads to, as text. */
function exported(source: Resource | undefined, path: string): string | Problem {
  const steps = parseFieldPath(path)
  if (steps === undefined) return { how: 'stop', message: `unable to parse path ${path}` }
  const value = valueOrError(source, steps)
  if (value instanceof PathError) return { how: 'stop', message: `unable to execute query ${path}: ${value.message}` }
  if (value === undefined) return { how: 'wait', message: 'path does not exist in this object' }
  return textOfValue(value) ?? { how: 'stop', message: `${path} leads to no text, boolean or whole number` }
}

function valueOrError(source: Resource | undefined, steps: readonly PathStep[]): unknown {
  try {
    return valueAtPath(source, steps)
  } catch (error) {
    if (error instanceof PathError) return error
    throw error
  }
}

function problemOf(claim: Whole, { source, isServed, target, crossNamespace }: Exporting): Problem | undefined {
  const { spec } = claim
  const { resource, path } = spec.from
  if (parseFieldPath(path) === undefined) return { how: 'stop', message: `unable to parse path ${path}` }
  if (!mayReach(claim, crossNamespace))
    return { how: 'stop', message: `${renderKey(targetKey(claim))} is in another namespace, which is not allowed` }
  if (!isServed) return { how: 'wait', message: `${resource.kind}.${resource.group} is not served by this controller` }
  if (source === undefined) return { how: 'wait', message: `the source ${resource.kind} ${resource.name} does not exist` }
  if (findCondition(source.status?.conditions, conditions.synced)?.status !== 'True')
    return { how: 'wait', message: 'the source resource is not synced yet' }
  return target === undefined ? { how: 'look', message: `unable to get existing ${spec.to.kind}` } : undefined
}

/** The conditions say it. A source wakes us when it changes; a target that appears does not, so it is looked for. */
function say({ how, message }: Problem): Plan {
  const type = how === 'stop' ? conditions.terminal : conditions.recoverable
  const said = { type, status: 'True', reason: how === 'stop' ? 'InvalidManifest' : 'Waiting', message } as const
  const next =
    how === 'look' ? ({ kind: 'look-again', afterMs: 30_000, why: message } as const) : ({ kind: 'await-change' } as const)
  return { actions: [], conditions: [said, readyOf([said])], next }
}

function release(claim: FieldExport): Action {
  return { kind: 'remove-finalizer', type: fieldExportKind.type, object: claim, finalizer }
}

function put(claim: Whole, target: StoredObject, key: string, value: string | null): Action {
  const body = { data: { [key]: value } }
  return { kind: 'patch', type: targetType(claim), key: targetKey(claim), patch: 'merge', body, uid: target.metadata.uid }
}

function reportExport({ plan, outcomes }: ReportInput): Report | undefined {
  const [failed] = failuresOf(outcomes)
  const all = [conditions.terminal, conditions.recoverable, conditions.synced, conditions.ready]
  const told = (said: Report['conditions']): Report => ({
    conditions: said,
    forgotten: all.filter(type => !said.some(each => each.type === type)),
  })
  if (failed === undefined) return plan.conditions.length === 0 ? undefined : told(plan.conditions)
  if (failed.kind === 'soon') return undefined
  const said = { type: conditions.recoverable, status: 'True', reason: failed.reason, message: failed.message } as const
  return told([said, readyOf([said])])
}

/** One that says what is to go where. */
type Whole = FieldExport & { readonly spec: FieldExportSpec }

function isWhole(claim: FieldExport | undefined): claim is Whole {
  return claim?.spec !== undefined
}

function mayReach({ spec, metadata }: Whole, crossNamespace: boolean): boolean {
  return crossNamespace || spec.to.namespace === undefined || spec.to.namespace === metadata.namespace
}

function targetType({ spec }: Whole): ResourceType {
  return spec.to.kind === 'secret' ? secrets : configMaps
}

function targetKey({ spec, metadata }: Whole): ObjectKey {
  return { namespace: spec.to.namespace ?? metadata.namespace ?? '', name: spec.to.name }
}

/** Text, truth and whole numbers can be exported. */
function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value)) ? String(value) : undefined
}
