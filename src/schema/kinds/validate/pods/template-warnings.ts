// Warnings about the pods that an object's controller will make.
import { type Json, type JsonObject } from '../../../json.ts'
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

/** Warns of nothing where the kind has no template. */
export function templateWarnings(group: string, kind: string, object: JsonObject): readonly string[] {
  const owner = owners.get(`${group}/${kind}`)
  if (owner === undefined) return []
  const template = owner.template.reduce<Json | undefined>((within, field) => objectOf(within)[field], object)
  return [...(owner.lendsName ? ownerNameWarnings(object) : []), ...contentWarnings(objectOf(template), owner.template.join('.'))]
}
