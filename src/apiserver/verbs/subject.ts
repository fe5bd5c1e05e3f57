// The object that a request addresses: its table, its key, and how a stored version is shown in the requested one.
import type { Core } from '../core.ts'
import { asDraft, asJson, type Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { notFound, refusal } from '../refusals.ts'
import { rowKey, type ServedKind } from '../registry/resource.ts'
import type { Table } from '../store/store.ts'
import type { Version } from '../store/version.ts'

export function tableOf(core: Core, kind: ServedKind): Table {
  return core.store.table(kind.resource.table)
}

export function keyOfCall(call: ResourceCall): string {
  return rowKey(call.kind.resource, call.info.namespace, call.info.name)
}

export function findLive(core: Core, call: ResourceCall): Version | undefined {
  return tableOf(core, call.kind).rows.get(keyOfCall(call))
}

export function requireLive(core: Core, call: ResourceCall): Version {
  const live = findLive(core, call)
  if (live === undefined) throw notFound(call.kind.resource, call.info.name)
  return live
}

/** A stored version as this kind shows it: at its API version, with the defaults of the present schema. */
export function shownAs(version: Version, kind: ServedKind): Version {
  if (version.object.apiVersion === kind.apiVersion && kind.resource.custom === undefined) return version
  return version.viewAs(kind, object => present(object, kind))
}

function present(object: Readonly<Draft>, kind: ServedKind): Readonly<Draft> {
  // Relabelling what only the definition's converter understands would hand out wrong objects.
  if (object.apiVersion !== kind.apiVersion && kind.resource.custom?.conversion.strategy === 'Webhook') {
    const from = `${object.apiVersion}, Kind=${object.kind}`
    throw refusal(500, '', `conversion webhook for ${from} failed: this server does not call conversion webhooks yet`)
  }
  if (object.apiVersion === kind.apiVersion) return asDraft(kind.schema.applyDefaults(kind.schema.prune(asJson(object))))
  // Defaults come from the version at which it is stored; another one only takes away what it does not know.
  const stored = kind.resource.versions.find(candidate => candidate.apiVersion === object.apiVersion)?.schema
  const whole = stored === undefined ? asJson(object) : stored.applyDefaults(stored.prune(asJson(object)))
  return asDraft(kind.schema.prune({ ...whole, apiVersion: kind.apiVersion }))
}
