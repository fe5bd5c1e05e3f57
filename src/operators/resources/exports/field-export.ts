// FieldExport: writes a field of a resource into a key of a ConfigMap or Secret that is there already, and takes it away again.
import { given } from '#base'
import {
  configMaps,
  findCondition,
  type ObjectKey,
  type ResourceType,
  renderKey,
  type StoredObject,
  secrets as secretType,
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
import { annotations, conditions, type Resource } from '../api.ts'
import { readyOf } from '../decide/at-rest.ts'
import { own } from '../model/convert.ts'
import type { Holder } from '../secrets/protected-objects.ts'
import { refusedSource } from '../secrets/secret-access.ts'
import { secretWatches } from '../secrets/secret-watch.ts'
import { type FieldExport, type FieldExportSpec, fieldExportKind, isSecret } from './api.ts'
import { type ExportValues, exportValues, isProblem, manifestProblem, type Problem, secretsOf } from './export-values.ts'
import { type Asked, type Refusal, refusedTarget, refusedUnread, type WriteRules } from './target.ts'

const finalizer = 'finalizers.services.k8s.aws/FieldExport'
const sourceIndex = 'source of field-export'
const secretIndex = 'secrets of field-export'

/** Secrets are read again after this time where nobody tells of them. */
const secretLookMs = 300_000

/** A target that is missing, and one that may not be written, are looked for again after these: nobody tells of them. */
const targetLookMs = 30_000
const refusedLookMs = 60_000

export interface Exporting {
  readonly claim: FieldExport | undefined
  readonly source: Resource | Holder | undefined
  readonly isServed: boolean
  readonly target: Holder | undefined
  /** By name, those that the manifest takes from beside its source. */
  readonly secrets: ReadonlyMap<string, Holder | undefined>
  readonly rules: WriteRules
  /** Changes of Secrets are told to us. */
  readonly hearsOfSecrets: boolean
}

export interface FieldExportOptions {
  readonly rules: WriteRules
  /** The CRD has places for more than one field, and Secrets may be sources. */
  readonly extended: boolean
  readonly watchSecrets: boolean
  /** Which objects of the kinds are seen. */
  readonly scope: Pick<Watch, 'namespaces' | 'labelSelector'>
}

export function fieldExportController(
  kinds: readonly ResourceType[],
  { rules, extended, watchSecrets, scope }: FieldExportOptions,
): AnyController {
  return defineController<Exporting>({
    name: 'resources-field-export',
    fieldManager: 'vouch-resources',
    claims: {
      type: fieldExportKind.type,
      optional: true,
      ...given({ namespaces: scope.namespaces }),
      indexes: {
        [sourceIndex]: indexBy<FieldExport>(claim =>
          claim.spec === undefined ? [] : [sourceOf(claim, claim.spec.from.resource)],
        ),
        ...(extended ? { [secretIndex]: indexBy<FieldExport>(namedSecrets) } : {}),
      },
    },
    watches: [
      ...kinds.map(type => ({ ...sourceWatch(type), ...scope })),
      ...(extended && watchSecrets
        ? secretWatches({
            claims: fieldExportKind.type,
            index: secretIndex,
            watchNamespaces: scope.namespaces,
            access: rules.secrets,
          })
        : []),
    ],
    status: { kind: 'subresource', observedGeneration: false, conditionGeneration: false },
    reconciler: {
      observe: (key, reads, signal) => observe(key, { reads, signal, kinds, rules, extended, hearsOfSecrets: watchSecrets }),
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
  readonly rules: WriteRules
  readonly extended: boolean
  readonly hearsOfSecrets: boolean
}

async function observe(key: ClaimKey, context: Context): Promise<Exporting> {
  const { reads, signal, rules, hearsOfSecrets } = context
  const claim = reads.find<FieldExport>(fieldExportKind.type, key)
  const nothing = {
    claim,
    source: undefined,
    isServed: false,
    target: undefined,
    secrets: new Map<string, Holder | undefined>(),
    rules,
    hearsOfSecrets,
  }
  if (!isWhole(claim)) return nothing
  const read = async (name: string): Promise<Holder | undefined> => {
    const at = { namespace: key.namespace, name }
    return refusedSource(at, undefined, rules) === undefined ? reads.read<Holder>(secretType, at, signal) : undefined
  }
  const { isServed, source } = await readSource(claim, context, read)
  const target =
    refusedUnread(askedOf(claim), rules) === undefined
      ? await reads.read<Holder>(targetType(claim), targetKey(claim), signal)
      : undefined
  const named = context.extended ? secretsOf(claim.spec, defaultKey(claim)) : []
  const secrets = new Map<string, Holder | undefined>()
  for (const name of named) secrets.set(name, await read(name))
  return { ...nothing, isServed, source, target, secrets }
}

async function readSource(
  { spec, metadata }: Whole,
  { reads, kinds, extended }: Context,
  read: (name: string) => Promise<Holder | undefined>,
): Promise<Pick<Exporting, 'isServed' | 'source'>> {
  const { group, kind, name } = spec.from.resource
  if (isSecret(spec.from.resource))
    return extended ? { isServed: true, source: await read(name) } : { isServed: false, source: undefined }
  const type = kinds.find(each => each.group === group && each.kind === kind)
  if (type === undefined || !reads.isSynced(type)) return { isServed: false, source: undefined }
  return { isServed: true, source: reads.find<Resource>(type, { namespace: metadata.namespace ?? '', name }) }
}

export function decideExport(seen: Exporting): Plan {
  const { claim, target } = seen
  if (claim === undefined) return emptyPlan
  const { metadata } = claim
  const isHeld = metadata.finalizers?.includes(finalizer) ?? false
  if (!isWhole(claim)) {
    if (metadata.deletionTimestamp === undefined) return say({ how: 'stop', message: 'spec is missing' })
    return isHeld ? { ...emptyPlan, actions: [release(claim)] } : emptyPlan
  }
  if (metadata.deletionTimestamp !== undefined) {
    if (!isHeld) return emptyPlan
    // What may not be written any more, or never might, is left as it stands: a finalizer proves nothing, anybody can write one.
    if (refusalOf(claim, seen) !== undefined) return { ...emptyPlan, actions: [release(claim)] }
    const held = [...keysWritten(claim)].filter(key => heldIn(target, key) !== undefined)
    if (held.length > 0 && target !== undefined)
      return { ...emptyPlan, actions: [put(claim, target, Object.fromEntries(held.map(key => [key, null])))], next: again }
    return { ...emptyPlan, actions: [release(claim)] }
  }
  const problem = problemOf(claim, seen)
  if (problem !== undefined) return say(problem)
  const values = exportValues(claim.spec, defaultKey(claim), seen)
  if (isProblem(values)) return say(values)
  return write(claim, seen, values)
}

/** First the note of the keys, then the keys: whoever comes after knows which are ours to take away. */
function write(claim: Whole, seen: Exporting, values: ExportValues): Plan {
  const { target } = seen
  const wanted = Object.fromEntries(
    [...values].map(([key, text]) => [
      key,
      claim.spec.to.kind === 'secret' ? Buffer.from(text, 'utf8').toString('base64') : text,
    ]),
  )
  const isHeld = claim.metadata.finalizers?.includes(finalizer) ?? false
  const before = keysWritten(claim)
  const stale = [...before].filter(key => !values.has(key) && heldIn(target, key) !== undefined)
  const changed = Object.entries(wanted).filter(([key, value]) => heldIn(target, key) !== value)
  const data = Object.fromEntries<string | null>([...changed, ...stale.map(key => [key, null] as const)])
  const synced = { type: conditions.synced, status: 'True', reason: 'Exported', message: '' } as const
  const writes = Object.keys(data).length === 0 ? [] : [target === undefined ? make(claim, wanted) : put(claim, target, data)]
  return {
    actions: [
      ...(isHeld ? [] : [{ kind: 'add-finalizer', type: fieldExportKind.type, object: claim, finalizer } as const]),
      ...noteKeys(claim, [...values.keys()]),
      ...writes,
    ],
    conditions: [synced, readyOf([synced])],
    next: takesSecrets(claim) && !seen.hearsOfSecrets ? lookAtSecrets : { kind: 'await-change' },
  }
}

const lookAtSecrets = { kind: 'look-again', afterMs: secretLookMs, why: 'a Secret may have been rotated' } as const

function takesSecrets(claim: Whole): boolean {
  return namedSecrets(claim).length > 0
}

function namedSecrets(claim: FieldExport): readonly string[] {
  const { spec, metadata } = claim
  if (spec === undefined) return []
  const { resource } = spec.from
  const names = [...(isSecret(resource) ? [resource.name] : []), ...secretsOf(spec, defaultKey(claim))]
  return names.map(name => renderKey({ namespace: metadata.namespace ?? '', name }))
}

function defaultKey({ metadata }: StoredObject): string {
  return `${metadata.namespace ?? ''}.${metadata.name}`
}

/** The keys that this object wrote into its present target, or may have written. */
function keysWritten(claim: Whole): ReadonlySet<string> {
  const { spec, metadata } = claim
  const own = spec.to.key ?? defaultKey(claim)
  const noted = (metadata.annotations?.[annotations.exportedKeys] ?? '').split(' ')
  const [where, ...keys] = noted
  return new Set([...(spec.from.path === undefined ? [] : [own]), ...(where === placeOf(claim) ? keys : [])])
}

function heldIn(target: Holder | undefined, key: string): string | undefined {
  return own(target?.data ?? {}, key)
}

function placeOf(claim: Whole): string {
  return `${claim.spec.to.kind}/${renderKey(targetKey(claim))}`
}

/** One field needs no note: its key is in the manifest. */
function noteKeys(claim: Whole, keys: readonly string[]): readonly Action[] {
  const { metadata, spec } = claim
  const held = metadata.annotations?.[annotations.exportedKeys]
  if (spec.exports === undefined && held === undefined) return []
  const note = [placeOf(claim), ...keys.toSorted()].join(' ')
  if (note === held) return []
  const body = { metadata: { annotations: { [annotations.exportedKeys]: note } } }
  const key = { namespace: metadata.namespace ?? '', name: metadata.name }
  return [{ kind: 'patch', type: fieldExportKind.type, key, patch: 'merge', body, uid: metadata.uid }]
}

/** The target goes with this object. */
function make(claim: Whole, data: Readonly<Record<string, string>>): Action {
  const type = targetType(claim)
  const { uid, name } = claim.metadata
  const owner = { apiVersion: 'services.k8s.aws/v1alpha1', kind: 'FieldExport', name, uid }
  const object = {
    apiVersion: 'v1',
    kind: type.kind,
    metadata: { ...targetKey(claim), ownerReferences: [owner] },
    ...(claim.spec.to.kind === 'secret' ? { type: 'Opaque' } : {}),
    data,
  }
  return { kind: 'create', type, object }
}

const again = { kind: 'look-again', afterMs: 0, why: 'see the key gone' } as const

function problemOf(claim: Whole, seen: Exporting): Problem | undefined {
  const { spec } = claim
  const { source, isServed, target } = seen
  const { resource } = spec.from
  const wrong = manifestProblem(spec, defaultKey(claim))
  if (wrong !== undefined) return wrong
  const refusal = refusalOf(claim, seen) ?? refusedSources(claim, seen)
  if (refusal !== undefined) return { how: 'refuse', ...refusal }
  if (!isServed) return { how: 'wait', message: `${resource.kind}.${resource.group} is not served by this controller` }
  if (source === undefined)
    return { how: isSecret(resource) ? 'look' : 'wait', message: `the source ${resource.kind} ${resource.name} does not exist` }
  if (!isSecret(resource) && findCondition((source as Resource).status?.conditions, conditions.synced)?.status !== 'True')
    return { how: 'wait', message: 'the source resource is not synced yet' }
  if (target !== undefined) return undefined
  // One that is missing in another namespace accepts nothing, so that none is made there.
  return spec.to.createIfMissing === true ? undefined : { how: 'look', message: `unable to get existing ${spec.to.kind}` }
}

function askedOf(claim: Whole): Asked {
  const kind = claim.spec.to.kind === 'secret' ? 'Secret' : 'ConfigMap'
  return { kind, key: targetKey(claim), from: claim.metadata.namespace ?? '' }
}

function refusalOf(claim: Whole, { rules, target }: Pick<Exporting, 'rules' | 'target'>): Refusal | undefined {
  return refusedUnread(askedOf(claim), rules) ?? refusedTarget(askedOf(claim), target)
}

/** Of the Secrets that the manifest takes from. */
function refusedSources(claim: Whole, { source, secrets, rules }: Exporting): Refusal | undefined {
  const namespace = claim.metadata.namespace ?? ''
  const { resource } = claim.spec.from
  const named = [...secrets, ...(isSecret(resource) ? [[resource.name, source as Holder | undefined] as const] : [])]
  for (const [name, held] of named) {
    const message = refusedSource({ namespace, name }, held, rules)
    if (message !== undefined) return { reason: 'SecretUnusable', message }
  }
  return undefined
}

/** The conditions say it. A source wakes us when it changes; a target that appears does not, so it is looked for. */
function say({ how, message, reason }: Problem): Plan {
  const isTerminal = how === 'stop' || how === 'refuse'
  const type = isTerminal ? conditions.terminal : conditions.recoverable
  const said = { type, status: 'True', reason: reason ?? (isTerminal ? 'InvalidManifest' : 'Waiting'), message } as const
  const next =
    how === 'look' || how === 'refuse'
      ? ({ kind: 'look-again', afterMs: how === 'look' ? targetLookMs : refusedLookMs, why: message } as const)
      : ({ kind: 'await-change' } as const)
  return { actions: [], conditions: [said, readyOf([said])], next }
}

function release(claim: FieldExport): Action {
  return { kind: 'remove-finalizer', type: fieldExportKind.type, object: claim, finalizer }
}

function put(claim: Whole, target: StoredObject, data: Readonly<Record<string, string | null>>): Action {
  const { uid, resourceVersion } = target.metadata
  // The patch is bound to the version that was judged: a target that became somebody else's since is judged anew.
  return { kind: 'patch', type: targetType(claim), key: targetKey(claim), patch: 'merge', body: { data }, uid, resourceVersion }
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

function targetType({ spec }: Whole): ResourceType {
  return spec.to.kind === 'secret' ? secretType : configMaps
}

function targetKey({ spec, metadata }: Whole): ObjectKey {
  return { namespace: spec.to.namespace ?? metadata.namespace ?? '', name: spec.to.name }
}
