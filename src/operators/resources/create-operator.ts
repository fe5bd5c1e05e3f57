// Puts the operator together: the services, their kinds, a controller for each.
import type { ResourceService } from '#aws'
import { nearest } from '#base'
import { type CustomResourceDefinition, isKindNamed, renderCrd } from '#kube'

import type { AnyController, Companion } from '#runtime'
import { adoptedResourceController } from './adopted/adopted-resource.ts'
import { adoptedResourceKind } from './adopted/api.ts'
import { controllerName, kindController, scopeOf } from './controller.ts'
import { driftQueue } from './drift/drift-queue.ts'
import { driftMetrics } from './drift/metrics.ts'
import { OwnCalls } from './drift/own-calls.ts'
import { parseQueueUrl } from './drift/queue-address.ts'
import { extendedFieldExportKind, fieldExportKind } from './exports/api.ts'
import { fieldExportController } from './exports/field-export.ts'
import { forgetsEachTerm, Memory } from './memory.ts'
import { type KindModel, kindModel } from './model/kind-model.ts'
import { type ResourcesOptions, type Settings, settingsOf } from './options.ts'
import { roleSelectorKind } from './place/role-selector.ts'
import { isShipped, shippedKinds, shippedService } from './services/shipped.ts'

export interface ResourcesOperator {
  /** One for each kind: hand them to a manager. */
  readonly controllers: readonly AnyController[]
  /** For the same manager: what tells of drift. */
  readonly companions: readonly Companion[]
  readonly kinds: readonly KindModel[]
  /** The common ones, and those of the shipped services among the chosen. */
  readonly crds: readonly CustomResourceDefinition[]
}

/** A service that nobody knows, or a kind that none of the services has. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError'
}

/** Settings that cannot hold together. */
export class ExcludedError extends Error {
  override readonly name = 'ExcludedError'
}

export function createResourcesOperator(options: ResourcesOptions): ResourcesOperator {
  const settings = settingsOf(options)
  if (options.gates?.IAMRoleSelector === true && settings.carm)
    throw new ExcludedError(
      'IAMRoleSelector=true and role mappings exclude each other: pass --enable-carm=false, or leave the gate unset to have both',
    )
  const chosen = chooseKinds(options)
  const { kinds } = chosen
  const ownCalls = new OwnCalls(followsEvents(options))
  const remembered = kinds.map(model => ({ model, memory: new Memory() }))
  return {
    kinds,
    companions: [
      forgetsEachTerm(() => remembered.map(({ memory }) => memory)),
      ...driftQueuesOf(options, { remembered, ownCalls }),
    ],
    controllers: [
      ...kindControllers(options, { ...chosen, settings, ownCalls, remembered }),
      ...fieldExportControllers(options, kinds, settings),
      ...(options.adoptedResources === true ? [adoptedResourceController({ models: kinds, scope: scopeOf(settings) })] : []),
    ],
    crds: resourceCrds(options),
  }
}

/** What the controllers of all kinds have in common, and what tells them of drift. */
interface Shared {
  readonly remembered: readonly { readonly model: KindModel; readonly memory: Memory }[]
  readonly ownCalls: OwnCalls
}

function followsEvents({ driftQueues = [] }: ResourcesOptions): boolean {
  return driftQueues.length > 0
}

function driftQueuesOf(
  { driftQueues = [], home: { region }, aws, metrics: registry }: ResourcesOptions,
  { remembered, ownCalls }: Shared,
): readonly Companion[] {
  const metrics = driftMetrics(registry)
  const kinds = remembered.map(({ model, memory }) => ({
    model,
    controller: controllerName(model),
    onConcerned: (uid: string): void => memory.disturb(uid),
  }))
  const common = { region, aws, kinds, ownCalls, metrics }
  return driftQueues.map(url => driftQueue({ address: parseQueueUrl(url), ...common }))
}

function kindControllers(
  options: ResourcesOptions,
  shared: Shared & { readonly services: readonly ResourceService[]; readonly settings: Settings },
): readonly AnyController[] {
  const { aws, nowMs, random, metrics } = options
  const { remembered, services, settings, ownCalls } = shared
  const common = { settings, services, aws, nowMs, random, metrics, ownCalls, followsEvents: followsEvents(options) }
  return remembered.map(({ model, memory }) => kindController({ ...common, model, memory }))
}

function fieldExportControllers(
  { fieldExport }: ResourcesOptions,
  kinds: readonly KindModel[],
  settings: Settings,
): readonly AnyController[] {
  if (fieldExport === false) return []
  const { extendedFieldExports: extended, watchSecrets } = settings
  const types = kinds.map(({ type }) => type)
  return [fieldExportController(types, { rules: settings, extended, watchSecrets, scope: scopeOf(settings) })]
}

/** The services by name or value, and of their kinds those that are looked after. Throws `UnknownKindError`. */
export function chooseKinds(options: Pick<ResourcesOptions, 'services' | 'kinds'>): {
  readonly services: readonly ResourceService[]
  readonly kinds: readonly KindModel[]
} {
  const services = options.services.map(each => (typeof each === 'string' ? shipped(each).service : each))
  const all = services.flatMap(service => Object.values(service.kinds).map(kind => kindModel(service, kind)))
  const chosen = options.kinds?.flatMap(name => named(name, all))
  return { services, kinds: chosen === undefined ? all : all.filter(model => chosen.includes(model)) }
}

/** In any case, one or many, with its group, as kubectl takes it. */
function named(name: string, all: readonly KindModel[]): readonly KindModel[] {
  const found = all.filter(({ type }) => isKindNamed(name, type))
  if (found.length > 0) return found
  const names = all.map(({ kind }) => kind.kind).sort()
  const { plural } = all.find(({ kind }) => kind.kind === nearest(name, names))?.type ?? {}
  const meant = plural === undefined ? '' : ` (did you mean ${plural}?)`
  throw new UnknownKindError(`no service has a kind ${name}${meant}; known are ${names.join(', ')}`)
}

/** The common CRDs, and those of the shipped services among the chosen. */
export function resourceCrds({
  services,
  extendedFieldExports,
  adoptedResources,
}: Pick<ResourcesOptions, 'services'> & {
  readonly extendedFieldExports?: boolean | undefined
  readonly adoptedResources?: boolean | undefined
}): readonly CustomResourceDefinition[] {
  return [
    renderCrd(extendedFieldExports === true ? extendedFieldExportKind : fieldExportKind),
    renderCrd(roleSelectorKind),
    ...(adoptedResources === true ? [renderCrd(adoptedResourceKind)] : []),
    ...services.flatMap(each => (typeof each === 'string' ? shipped(each).crds : [])),
  ]
}

function shipped(alias: string): { readonly service: ResourceService; readonly crds: readonly CustomResourceDefinition[] } {
  if (isShipped(alias)) return shippedService(alias)
  throw new UnknownKindError(
    `no kinds are shipped for service ${alias}; shipped are ${shippedKinds.join(', ')}, others come from --models`,
  )
}
