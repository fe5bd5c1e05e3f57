// One kind's controller: what to watch, and how changes map to claims.

import type { ResourceService } from '#aws'
import type { AwsClients } from '#aws/client'
import { given, type Random } from '#base'
import { namespaces, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import {
  type AnyController,
  defineController,
  indexBy,
  type Metrics,
  type Reads,
  type Reconciler,
  type ReportInput,
  type SourceIndex,
  type Watch,
} from '#runtime'
import { actOf } from './act/act.ts'
import type { Resource } from './api.ts'
import type { CallAction, ResourceAction, ResourcePlan } from './decide/actions.ts'
import { decide } from './decide/decide.ts'
import { eventsOf } from './decide/events.ts'
import { sameDeep } from './delta/compare.ts'
import { eventIndex, eventIndexName } from './drift/concerned.ts'
import type { OwnCalls } from './drift/own-calls.ts'
import { createEquipment } from './equipment.ts'
import { deviationOf } from './kinds/deviations.ts'
import type { Memory } from './memory.ts'
import { kindMetrics } from './metrics.ts'
import { isRecord } from './model/convert.ts'
import type { KindModel } from './model/kind-model.ts'
import { observe } from './observe/observe.ts'
import type { Settings } from './options.ts'
import { ownerIndex, ownerIndexName } from './ownership/duplicates.ts'
import { type RoleSelector, roleSelectorKind } from './place/role-selector.ts'
import { referenceType, targetsOf } from './references/references.ts'
import { report } from './report/report.ts'
import { resyncSecondsDefault } from './resync.ts'
import { namesSecrets, secretIndex, secretIndexName, secretWatches } from './secrets/secret-watch.ts'
import type { Rules, Seen } from './seen/seen.ts'

export interface KindControllerOptions {
  readonly model: KindModel
  readonly settings: Settings
  /** All that are served: references may lead to any of them. */
  readonly services: readonly ResourceService[]
  readonly aws: AwsClients
  readonly memory: Memory
  readonly nowMs: () => number
  readonly random: Random | undefined
  readonly metrics: Metrics | undefined
  readonly ownCalls: OwnCalls
  /** Events of AWS are mapped to claims. */
  readonly followsEvents: boolean
}

/** Slow services take half a minute for one call, and a bucket takes dozens. */
const deadlineMs = 180_000

export function controllerName({ kind, service }: KindModel): string {
  return `resources-${kind.plural}.${service.alias}`
}

export function kindController(options: KindControllerOptions): AnyController {
  const { model, settings } = options
  const counted = kindMetrics(options.metrics, model, settings.metricNames)
  const rules: Rules = { model, deviation: deviationOf(model.id), settings }
  return defineController<Seen, ResourceAction>({
    name: controllerName(model),
    fieldManager,
    claims: { type: model.type, optional: true, ...scopeOf(settings), indexes: indexesOf(options, rules) },
    isWorth: change => {
      // A claim that is gone is worth no pass, so its series go here.
      if (change.kind === 'removed') counted.onGone(keyOf(change.object))
      return isWorth(change)
    },
    watches: watchesOf(options, rules),
    status: {
      kind: 'subresource',
      observedGeneration: settings.conditionGenerations,
      conditionGeneration: settings.conditionGenerations,
    },
    ...(settings.events ? { eventsOf } : {}),
    workers: settings.workersOf[model.kind.kind] ?? Math.max(settings.workers, rules.deviation.workers ?? 0),
    driftMs: driftMsOf(options),
    deadlineMs,
    reconciler: reconcilerOf(options, rules, counted),
  })
}

function indexesOf(
  { model, services, followsEvents }: KindControllerOptions,
  rules: Rules,
): Readonly<Record<string, SourceIndex>> {
  return {
    [refersTo(model)]: indexOfReferences(model, services),
    [ownerIndexName(model)]: ownerIndex(rules),
    ...(hearsOfSecrets(rules) ? { [secretIndexName(model)]: secretIndex(model) } : {}),
    ...(followsEvents ? { [eventIndexName(model)]: eventIndex(model) } : {}),
  }
}

function watchesOf({ model, settings, services }: KindControllerOptions, rules: Rules): readonly Watch[] {
  const { watchNamespaces, secrets: access } = settings
  const ofSecrets = { claims: model.type, index: secretIndexName(model), watchNamespaces, access }
  return [
    namespaceWatch(model, settings),
    ...referenceWatches(model, services, scopeOf(settings)),
    ...(settings.gates.IAMRoleSelector ? [selectorWatch(model)] : []),
    ...(hearsOfSecrets(rules) ? secretWatches(ofSecrets) : []),
  ]
}

function hearsOfSecrets(rules: Rules): boolean {
  return rules.settings.watchSecrets && namesSecrets(rules)
}

/** For what a person has to put right, sometimes outside the claim; everything else plans its next look itself. */
function driftMsOf({ model: { kind }, settings }: KindControllerOptions): number {
  const seconds =
    settings.resyncSecondsOf[kind.kind] ?? kind.settings.resyncSeconds ?? settings.resyncSeconds ?? resyncSecondsDefault
  return seconds * 1_000
}

function reconcilerOf(
  options: KindControllerOptions,
  rules: Rules,
  counted: ReturnType<typeof kindMetrics>,
): Reconciler<Seen, ResourceAction> {
  const { model, deviation, settings } = rules
  const { aws, memory, random, ownCalls } = options
  const { onCall } = counted
  const equipment = createEquipment({ ...options, deviation, onCall })
  return {
    observe: (key, reads, signal) => observe(key, equipment, reads, signal),
    decide: (seen, now) => (settings.events ? decide(rules, seen, now) : withoutEvents(decide(rules, seen, now))),
    act: actOf({ model, deviation, settings, aws, memory, random, ownCalls, onCall }),
    report: input => {
      const said = report(rules, input)
      if (said !== undefined && input.seen.claim !== undefined)
        counted.onConditions(input.seen.claim, said.conditions, options.nowMs())
      if (isDrift(input)) counted.onDrift()
      return said
    },
  }
}

function withoutEvents(plan: ResourcePlan): ResourcePlan {
  return { ...plan, actions: plan.actions.filter(({ kind }) => kind !== 'record-event') }
}

type Scope = Pick<Watch, 'namespaces' | 'labelSelector'>

/** Which objects of our kinds we see: the same wherever a kind is asked for, since there is one cache of each. */
export function scopeOf({ watchNamespaces, watchSelector }: Settings): Scope {
  return given({ namespaces: watchNamespaces, labelSelector: watchSelector })
}

/** A claim that was in step, whose manifest is the one that it was in step with, and whose resource had to be changed all the same. */
function isDrift({ seen, plan }: ReportInput<ResourceAction> & { readonly seen: Seen }): boolean {
  const { claim, notes } = seen
  const updates = plan.actions.some(action => action.kind === 'act:aws' && (action as CallAction).call.verb !== 'DELETE')
  return updates && claim !== undefined && notes.inStepWith === claim.metadata.generation
}

/** Who works as whom changed: everybody is asked again. */
function selectorWatch(model: KindModel): Watch {
  return { type: roleSelectorKind.type, optional: true, toClaims: (_selector, world) => world.list(model.type).map(keyOf) }
}

const fieldManager = 'vouch-resources'
const annotationMark = 'services.k8s.aws/'

/** A pass costs calls to AWS: our own status and other people's labels are no reason for one. */
export function isWorth(change: {
  readonly kind: string
  readonly object: StoredObject
  readonly previous?: StoredObject
}): boolean {
  const { object, previous } = change
  if (change.kind === 'removed') return false
  if (previous === undefined) return true
  const [now, before] = [object.metadata, previous.metadata]
  if (now.uid !== before.uid || now.deletionTimestamp !== before.deletionTimestamp) return true
  if (now.generation !== before.generation && !isOwnFilling(object, previous)) return true
  return annotationsOf(now.annotations) !== annotationsOf(before.annotations) || !sameList(now.finalizers, before.finalizers)
}

/** Whether all that changed in the spec are fields that were empty and that we filled: the pass that did so has told of it. */
function isOwnFilling(object: Resource, previous: Resource): boolean {
  const [now, before] = [object.spec ?? {}, previous.spec ?? {}]
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])]
  const changed = names.filter(name => !sameDeep(now[name], before[name]))
  const own = object.metadata.managedFields?.find(
    ({ manager, subresource }) => manager === fieldManager && subresource === undefined,
  )
  const fields = own?.fieldsV1?.['f:spec']
  return isRecord(fields) && changed.every(name => before[name] === undefined && fields[`f:${name}`] !== undefined)
}

/** What we note on claims ourselves. */
const ownNotes = ['/create-intent', '/adopted', '/in-step-with']

/** Annotations that speak to us; the note of our own intent does not. */
function annotationsOf(annotations: Readonly<Record<string, string>> | undefined): string {
  const ours = Object.entries(annotations ?? {}).filter(
    ([name]) => name.includes(annotationMark) && !ownNotes.some(own => name.endsWith(own)),
  )
  return JSON.stringify(ours.map(String).sort())
}

/** A finalizer that somebody took away is a reason; one that we put on is not. */
function sameList(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return (before ?? []).every(each => now?.includes(each) === true)
}

function refersTo({ id }: KindModel): string {
  return `refers-to ${id}`
}

function indexOfReferences(model: KindModel, services: readonly ResourceService[]): SourceIndex {
  return indexBy<Resource>(claim =>
    targetsOf(model, claim).flatMap(target => {
      const type = referenceType(services, target)
      return type === undefined ? [] : [placeOf(type, target)]
    }),
  )
}

function placeOf(type: ResourceType, { namespace, name }: ObjectKey): string {
  return `${type.plural}.${type.group}/${namespace}/${name}`
}

/** A referenced object that becomes ready, or changes what it is read for, wakes those that wait for it. */
function referenceWatches(model: KindModel, services: readonly ResourceService[], scope: Scope): readonly Watch[] {
  const types = new Map<string, ResourceType>()
  const add = (service: string, resource: string): void => {
    const type = referenceType(services, { service, resource })
    if (type !== undefined) types.set(`${type.plural}.${type.group}`, type)
  }
  const fields = [...model.kind.spec, ...Object.values(model.service.structures).flat()]
  for (const { reference } of fields)
    if (reference !== undefined) add(reference.service ?? model.service.alias, reference.resource)
  return [...types.values()].map(type => ({
    type,
    optional: true,
    ...scope,
    toClaims: (object: StoredObject, world: Reads) => {
      const { namespace = '', name } = object.metadata
      return world.byIndex(model.type, refersTo(model), placeOf(type, { namespace, name })).map(keyOf)
    },
  }))
}

/** A namespace says in which account and region its claims are, by annotations or by labels that are selected: when that changes they
 * are looked at. */
function namespaceWatch(model: KindModel, { gates }: Settings): Watch {
  const speaks = ({ metadata }: StoredObject, world: Reads): boolean => {
    if (Object.keys(metadata.annotations ?? {}).some(name => name.includes(annotationMark))) return true
    if (!gates.IAMRoleSelector || !world.isSynced(roleSelectorKind.type)) return false
    return world
      .list<RoleSelector>(roleSelectorKind.type)
      .some(({ spec }) => spec?.namespaceSelector?.labelSelector !== undefined)
  }
  return {
    type: namespaces,
    metadataOnly: true,
    toClaims: (namespace, world) => (speaks(namespace, world) ? world.list(model.type, namespace.metadata.name).map(keyOf) : []),
  }
}

function keyOf({ metadata }: StoredObject): ObjectKey {
  return { namespace: metadata.namespace ?? '', name: metadata.name }
}
