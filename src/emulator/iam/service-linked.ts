// Service-linked roles (§5.6): made for a service, changed by nobody else, deleted in the background.
import type { Context, Handler } from '../service.ts'
import { arnOf, arnOrGuess, ask, type IamCall, keyOf } from './ask.ts'
import { iamDelays } from './delays.ts'
import { invalidInput, noSuchEntity, roleMissing, unmodifiable } from './errors.ts'
import { type IamState, newest, put, type Role } from './model.ts'
import { checkNew, newRole } from './roles.ts'
import { forgetLater, saveEntity, whenOf } from './save.ts'
import { shownRole } from './shown.ts'

/** Names that are not simply the service's first label in capitals. */
const roleNames: Readonly<Record<string, string>> = {
  'acm.amazonaws.com': 'CertificateManager',
  'eks.amazonaws.com': 'AmazonEKS',
  'eks-nodegroup.amazonaws.com': 'AmazonEKSNodegroup',
  'eks-fargate.amazonaws.com': 'AmazonEKSForFargate',
  'elasticloadbalancing.amazonaws.com': 'ElasticLoadBalancing',
  'autoscaling.amazonaws.com': 'AutoScaling',
}

function create(call: IamCall<{ AWSServiceName: string; Description?: string; CustomSuffix?: string }>): object {
  const { AWSServiceName: service, CustomSuffix: suffix, Description: description } = call.input
  const label = roleNames[service] ?? capitalised(service.split('.')[0] ?? service)
  const name = `AWSServiceRoleFor${label}${suffix === undefined ? '' : `_${suffix}`}`
  const path = `/aws-service-role/${service}/`
  ask(call, arnOf(call, 'role', path, name), { context: { 'iam:AWSServiceName': service } })
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?$/.test(service))
    throw invalidInput(`${service} is not a valid AWS service name.`)
  if (newest(call.store.get(), 'roles', keyOf(name)) !== undefined) {
    throw invalidInput(`Service role name ${name} has been taken in this account, please try a different suffix.`)
  }
  checkNew(call, name)
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  }
  const role: Role = { ...newRole(call, { name, path, trustPolicy: JSON.stringify(trust) }), description, serviceLinked: service }
  saveEntity(call, 'roles', undefined, role)
  return { Role: shownRole(call, role) }
}

function capitalised(text: string): string {
  return text
    .split('-')
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

function remove(call: IamCall<{ RoleName: string }>): object {
  const { RoleName: name } = call.input
  const role = newest(call.store.get(), 'roles', keyOf(name))
  ask(call, arnOrGuess(call, 'role', name, role))
  if (role === undefined) throw roleMissing(name)
  if (role.serviceLinked === undefined) throw unmodifiable(`Role ${name} is not a service-linked role.`)
  const id = `task/aws-service-role/${role.serviceLinked}/${role.name}/${call.random(`deletion/${call.serial()}`).uuid()}`
  const state = call.store.get()
  call.store.set({ ...state, deletions: state.deletions.set(id, { id, role: role.name, done: false }) })
  call.schedule({
    kind: 'delete-service-linked-role',
    id,
    atMs: call.now + call.delay(iamDelays.serviceLinkedRoleDeletion, id),
    class: 'progress',
  })
  return { DeletionTaskId: id }
}

/** The timer: the role goes, and the task says so. */
export function finishDeletion(context: Context<IamState>, id: string): void {
  const state = context.store.get()
  const task = state.deletions.get(id)
  if (task === undefined || task.done) return
  const role = newest(state, 'roles', keyOf(task.role))
  const without = role === undefined ? state : put(state, 'roles', keyOf(task.role), undefined, whenOf(context))
  const ids = role === undefined ? without.ids : without.ids.delete(role.id)
  context.store.set({ ...without, ids, deletions: without.deletions.set(id, { ...task, done: true }) })
  if (role !== undefined) forgetLater(context, 'roles', keyOf(task.role))
}

function status(call: IamCall<{ DeletionTaskId: string }>): object {
  ask(call, '*')
  const task = call.store.get().deletions.get(call.input.DeletionTaskId)
  if (task === undefined) throw noSuchEntity(`Deletion task ${call.input.DeletionTaskId} cannot be found.`)
  return { Status: task.done ? 'SUCCEEDED' : 'IN_PROGRESS' }
}

export const serviceLinkedOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreateServiceLinkedRole: create,
  DeleteServiceLinkedRole: remove,
  GetServiceLinkedRoleDeletionStatus: status,
}
