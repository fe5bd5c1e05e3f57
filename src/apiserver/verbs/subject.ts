// The object that a request addresses: its table, its key, and how a stored version is shown in the requested one.
import { andThen, invariant, type Maybe } from '#base'
import { convertBuiltin } from '#schema'
import { usesWebhook, wholeOf } from '../conversion/converter.ts'
import { asCommitted, asDraft, asJson, type Draft } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { notFound } from '../refusals.ts'
import { rowKey, type ServedKind } from '../registry/resource.ts'
import type { StorePort, Table } from '../store/store.ts'
import type { Version } from '../store/version.ts'
import type { ShowPorts } from './ports.ts'

export function tableOf(ports: StorePort, kind: ServedKind): Table {
  return ports.store.table(kind.resource.table)
}

export function keyOfCall(call: ResourceCall): string {
  return rowKey(call.kind.resource, call.info.namespace, call.info.name)
}

export function findLive(ports: StorePort, call: ResourceCall): Version | undefined {
  return tableOf(ports, call.kind).rows.get(keyOfCall(call))
}

export function requireLive(ports: StorePort, call: ResourceCall): Version {
  const live = findLive(ports, call)
  if (live === undefined) throw notFound(call.kind.resource, call.info.name)
  return live
}

/** The answer of most verbs: the version as the kind that was asked shows it. */
export function answerWith(ports: ShowPorts, kind: ServedKind, code: number, version: Version): Maybe<Reply> {
  return andThen(showAs(ports, version, kind), shown => ({ type: 'version', code, version: shown }))
}

/** A stored version as this kind shows it, converted first where only a webhook can. */
export function showAs(ports: ShowPorts, version: Version, kind: ServedKind): Maybe<Version> {
  return andThen(ports.converter.prepare([version], kind), () => shownAs(version, kind))
}

/** A stored version that is prepared, as this kind shows it: at its API version, with the defaults of the present schema. */
export function shownAs(version: Version, kind: ServedKind): Version {
  if (version.object.apiVersion === kind.apiVersion && kind.resource.custom === undefined) return version
  return version.viewAs(kind, object => asCommitted(present(object, kind)))
}

function present(object: Readonly<Draft>, kind: ServedKind): Readonly<Draft> {
  // Relabelling what only the definition's converter understands would hand out wrong objects.
  invariant(object.apiVersion === kind.apiVersion || !usesWebhook(kind), 'an object is shown before it was converted', {
    from: object.apiVersion,
    to: kind.apiVersion,
  })
  if (kind.resource.custom === undefined) return asDraft(convertBuiltin(asJson(object), kind.apiVersion))
  if (object.apiVersion === kind.apiVersion) return asDraft(kind.schema.applyDefaults(kind.schema.prune(asJson(object))))
  // Defaults come from the version at which it is stored; another one only takes away what it does not know.
  return asDraft(kind.schema.prune({ ...wholeOf(object, kind), apiVersion: kind.apiVersion }))
}
