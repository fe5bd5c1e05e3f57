// What would be done for manifests, without doing any of it: the same look and the same decision as in the running operator, with the
// manifests in the place of the caches. The cluster, where there is one, says what is managed already; nothing is written anywhere.

import { type KubeObject, namespaces, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { annotations, conditions, type Resource } from '../api.ts'
import { chooseKinds } from '../create-operator.ts'
import type { CallAction, ResourcePlan, TroubleAction } from '../decide/actions.ts'
import { foresee } from '../decide/decide.ts'
import { differences } from '../delta/differences.ts'
import type { KindModel } from '../model/kind-model.ts'
import { observe } from '../observe/observe.ts'
import type { ResourcesOptions } from '../options.ts'
import { roleSelectorKind } from '../place/role-selector.ts'
import { referenceType, targetsOf } from '../references/references.ts'
import type { Rules, Seen, Situation } from '../seen/seen.ts'
import { changeText, fieldTexts } from './field-values.ts'
import { lookingEquipment } from './looking-equipment.ts'

export interface LiveReads {
  find(type: ResourceType, key: ObjectKey): Promise<StoredObject | undefined>
  list(type: ResourceType): Promise<readonly StoredObject[]>
}

export interface PlannedChange {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** `blocked`: nothing can be done before something else happens; the details say what. */
  readonly verb: 'create' | 'update' | 'replace' | 'delete' | 'none' | 'blocked'
  readonly details: readonly string[]
}

export interface Planned {
  readonly manifest: KubeObject
  readonly change: PlannedChange
}

/** One for each manifest of a kind that is served, in their order. */
export async function planManifests(
  options: ResourcesOptions,
  manifests: readonly KubeObject[],
  { live, signal }: { readonly live?: LiveReads; readonly signal: AbortSignal },
): Promise<readonly Planned[]> {
  const { services, kinds } = chooseKinds(options)
  const known = new Known(live)
  const claims: { readonly model: KindModel; readonly claim: Resource; readonly manifest: KubeObject }[] = []
  for (const manifest of manifests) {
    const model = kinds.find(each => manifest.kind === each.kind.kind && manifest.apiVersion.startsWith(`${each.type.group}/`))
    if (model === undefined) continue
    const claim = await asClaim(manifest, model, live)
    claims.push({ model, claim, manifest })
    known.put(model.type, claim)
  }
  await known.fetchAll(roleSelectorKind.type)
  for (const { model, claim } of claims) {
    await known.fetch(namespaces, { namespace: '', name: claim.metadata.namespace ?? '' })
    for (const target of targetsOf(model, claim)) {
      const type = referenceType(services, target)
      if (type !== undefined) await known.fetch(type, { namespace: target.namespace, name: target.name })
    }
  }
  const planned: Planned[] = []
  for (const { model, claim, manifest } of claims) {
    const equipment = lookingEquipment(model, services, options)
    const { deviation, settings } = equipment
    const rules: Rules = { model, deviation, settings }
    const key = { cluster: '', namespace: claim.metadata.namespace ?? '', name: claim.metadata.name }
    const seen = await observe(key, equipment, known.reads(), signal)
    const plan = foresee(rules, seen, options.nowMs())
    const change = { kind: model.kind.kind, namespace: key.namespace, name: key.name, ...judge(rules, seen, plan) }
    planned.push({ manifest, change })
  }
  return planned
}

function judge(rules: Rules, seen: Seen, plan: ResourcePlan): Pick<PlannedChange, 'verb' | 'details'> {
  const trouble = plan.actions.find(({ kind }) => kind === 'act:trouble') as TroubleAction | undefined
  const calls = plan.actions.filter((action): action is CallAction => action.kind === 'act:aws')
  const told = plan.actions.flatMap(action => (action.kind === 'record-event' ? [action] : []))
  if (trouble !== undefined) return { verb: 'blocked', details: blocked(rules, seen, trouble) }
  if (told.some(({ reason }) => reason === 'Replaced')) return { verb: 'replace', details: told.map(({ message }) => message) }
  if (seen.claim?.metadata.deletionTimestamp !== undefined) return { verb: 'delete', details: calls.map(callText) }
  if (calls.some(({ call }) => call.verb === 'CREATE'))
    return { verb: 'create', details: [...fieldTexts(seen.claim?.spec), ...calls.map(callText)] }
  if (calls.length > 0) return { verb: 'update', details: [...changedFields(rules, seen), ...calls.map(callText)] }
  if (told.some(({ reason }) => reason === 'Adopted')) return { verb: 'update', details: told.map(({ message }) => message) }
  const terminal = plan.conditions.find(({ type, status }) => type === conditions.terminal && status === 'True')
  if (terminal !== undefined) return { verb: 'blocked', details: [terminal.message] }
  return { verb: 'none', details: [] }
}

function callText({ call, place }: CallAction): string {
  return `${call.operation} in ${place.account}/${place.region}`
}

/** Empty for what is not compared by fields, such as a Secret's content. */
function changedFields(rules: Rules, seen: Seen): readonly string[] {
  const { inAws, place, claim } = seen
  if (inAws.kind !== 'present' || place.kind !== 'chosen' || claim === undefined) return []
  const situation: Situation = { ...rules, seen, claim, place: place.place, now: 0 }
  return differences(situation, inAws.content).map(path => changeText(rules.model, path, inAws.content.spec, seen.wanted.spec))
}

/** What is there and not managed is compared all the same: that is what taking it over would change. */
function blocked(rules: Rules, seen: Seen, { trouble }: TroubleAction): readonly string[] {
  const said = [`${trouble.reason}: ${trouble.message}`]
  if (trouble.reason !== 'ResourceExists') return said
  const changed = changedFields(rules, seen)
  return [...said, ...(changed.length === 0 ? ['it is as the manifest asks for'] : changed.map(text => `it differs: ${text}`))]
}

/** The manifest as it would stand on the server: over the object that is there, where there is one. */
async function asClaim(manifest: KubeObject, { type }: KindModel, live: LiveReads | undefined): Promise<Resource> {
  const { namespace = 'default', name = '' } = manifest.metadata
  const { spec } = manifest as { readonly spec?: Resource['spec'] }
  const found = (await live?.find(type, { namespace, name })) as Resource | undefined
  const { [annotations.plan]: _plan, ...notes } = { ...found?.metadata.annotations, ...manifest.metadata.annotations }
  const base = found?.metadata ?? { uid: 'not-there-yet', resourceVersion: '0', generation: 1 }
  return {
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    metadata: { ...base, ...manifest.metadata, namespace, name, annotations: notes },
    ...(spec === undefined ? {} : { spec: mergedSpec(found, spec) }),
    ...(found?.status === undefined ? {} : { status: found.status }),
  } as Resource
}

/** Applied as a whole, but for what AWS chose and the manifest leaves open. */
function mergedSpec(found: Resource | undefined, spec: NonNullable<Resource['spec']>): Resource['spec'] {
  const own = found?.metadata.managedFields?.filter(({ manager }) => manager === 'vouch-resources') ?? []
  const filled = own.flatMap(({ fieldsV1 }) => Object.keys((fieldsV1?.['f:spec'] ?? {}) as object))
  const late = Object.entries(found?.spec ?? {}).filter(([name]) => filled.includes(`f:${name}`) && spec[name] === undefined)
  return { ...Object.fromEntries(late), ...spec }
}

/** What the caches would hold. */
class Known {
  readonly #live: LiveReads | undefined
  readonly #objects = new Map<string, Map<string, StoredObject>>()

  constructor(live: LiveReads | undefined) {
    this.#live = live
  }

  put(type: ResourceType, object: StoredObject): void {
    const { namespace = '', name } = object.metadata
    this.#of(type).set(`${namespace}/${name}`, object)
  }

  async fetch(type: ResourceType, key: ObjectKey): Promise<void> {
    if (this.#of(type).has(`${key.namespace}/${key.name}`)) return
    const found = await this.#live?.find(type, key)
    if (found !== undefined) this.put(type, found)
  }

  async fetchAll(type: ResourceType): Promise<void> {
    for (const object of (await this.#live?.list(type)) ?? []) this.put(type, object)
  }

  #of({ group, plural }: ResourceType): Map<string, StoredObject> {
    const id = `${plural}.${group}`
    const held = this.#objects.get(id) ?? new Map<string, StoredObject>()
    this.#objects.set(id, held)
    return held
  }

  /** Of what the caches of a controller answer, what a look asks for. */
  reads(): Reads {
    const reads = {
      find: (type: ResourceType, key: ObjectKey) => this.#of(type).get(`${key.namespace}/${key.name}`),
      list: (type: ResourceType) => [...this.#of(type).values()],
      byIndex: () => [],
      isSynced: () => true,
      read: (type: ResourceType, key: ObjectKey) => this.#live?.find(type, key) ?? Promise.resolve(undefined),
    }
    return reads as unknown as Reads
  }
}
