// Warnings about the pods that an object's controller will make.
import { type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { objectOf } from '../checks.ts'
import { contentWarnings, ownerNameWarnings } from './pod-warnings.ts'

interface Owner {
  /** Where the template stands. */
  readonly template: readonly string[]
  /** Whether the owner's name becomes part of a name that a host has. */
  readonly lendsName: boolean
}

const inSpec = ['spec', 'template']

/** By `group/Kind`. */
const owners: ReadonlyMap<string, Owner> = new Map([
  ['/PodTemplate', { template: ['template'], lendsName: false }],
  ['/ReplicationController', { template: inSpec, lendsName: true }],
  ['apps/DaemonSet', { template: inSpec, lendsName: false }],
  ['apps/Deployment', { template: inSpec, lendsName: true }],
  ['apps/ReplicaSet', { template: inSpec, lendsName: true }],
  ['apps/StatefulSet', { template: inSpec, lendsName: false }],
  ['batch/CronJob', { template: ['spec', 'jobTemplate', ...inSpec], lendsName: true }],
  ['batch/Job', { template: inSpec, lendsName: true }],
])

/** Warns of nothing where the kind has no template, and of a name when it is new. */
export function templateWarnings(group: string, kind: string, object: JsonObject, old?: JsonObject): readonly string[] {
  const owner = owners.get(`${group}/${kind}`)
  if (owner === undefined) return []
  const warned = old === undefined ? object : warnedAgain(kind, owner, object, old)
  const ofName = old === undefined && owner.lendsName ? ownerNameWarnings(object) : []
  return warned === undefined ? [] : [...ofName, ...contentWarnings(templateOf(owner, warned), owner.template.join('.'))]
}

/** Whose template is warned of after a change: nobody's, where nothing changed that its controller acts on. */
function warnedAgain(kind: string, owner: Owner, object: JsonObject, old: JsonObject): JsonObject | undefined {
  if (kind === 'DaemonSet') return jsonEqual(templateOf(owner, object), templateOf(owner, old)) ? undefined : object
  if (objectOf(object.metadata).generation === objectOf(old.metadata).generation) return undefined
  // A real server warns of the template that was.
  return kind === 'ReplicationController' ? old : object
}

function templateOf({ template }: Owner, object: JsonObject): JsonObject {
  return objectOf(template.reduce<Json | undefined>((within, field) => objectOf(within)[field], object))
}
