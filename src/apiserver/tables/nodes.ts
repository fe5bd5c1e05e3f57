// The rows of nodes.
import { isObject, type Json, type JsonObject } from '#schema'
import { ageOf } from './age.ts'
import { items, joined, member, none, text } from './cells.ts'

export const nodeColumns =
  'Name | Status | Roles | Age | Version | Internal-IP^1 | External-IP^1 | OS-Image^1 | Kernel-Version^1 | Container-Runtime^1'

export function nodeCells(node: JsonObject, now: number): readonly Json[] {
  const info = (name: string): string => text(member(node, 'status', 'nodeInfo', name), '<unknown>')
  return [
    statusText(node),
    rolesText(node),
    ageOf(member(node, 'metadata', 'creationTimestamp'), now),
    text(member(node, 'status', 'nodeInfo', 'kubeletVersion')),
    addressOf(node, 'InternalIP'),
    addressOf(node, 'ExternalIP'),
    info('osImage'),
    info('kernelVersion'),
    info('containerRuntimeVersion'),
  ]
}

function statusText(node: JsonObject): string {
  const ready = items(member(node, 'status', 'conditions')).find(condition => condition.type === 'Ready')
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return member(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state
}

const rolePrefix = 'node-role.kubernetes.io/'

function rolesText(node: JsonObject): string {
  const labels = member(node, 'metadata', 'labels')
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(isObject(labels) ? labels : {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length))
    else if (key === 'kubernetes.io/role' && text(value) !== '') roles.add(text(value))
  }
  return joined([...roles].sort())
}

function addressOf(node: JsonObject, type: string): string {
  return text(items(member(node, 'status', 'addresses')).find(address => address.type === type)?.address, none)
}
