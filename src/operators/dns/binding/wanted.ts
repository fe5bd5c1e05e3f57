// The binding that is made where an object asks for it: for the ServiceAccount of that operand, with what it needs and no more.

import { partitionOf } from '#aws'
import { type Action, isEqualJson } from '#runtime'
import { roleKind, type ServiceAccountRole } from '../../identity/api.ts'
import { operandName } from '../api/names.ts'
import type { DnsSpec } from '../api/spec.ts'
import { ownerOf } from '../operand/deployment.ts'
import { permissionPolicy, type ZonePolicy } from '../policies/policies.ts'
import type { BindingPlace, BindingSeen } from './view.ts'

export interface BindingWish extends BindingPlace {
  readonly uid: string
  readonly policy: ZonePolicy
}

/** Made when it is missing, kept in step when it is ours. One of a stranger is used and never changed. */
export function bindingActions({ object, isKindMissing }: BindingSeen, wish: BindingWish): readonly Action[] {
  const { ref, name, uid, policy, operandNamespace } = wish
  if (isKindMissing || ref.create !== true || ref.namespace === undefined || ref.name === undefined) return []
  const policyDocument = { ...policy }
  if (object === undefined) {
    const serviceAccount = { namespace: operandNamespace, name: operandName(name) }
    const key = { namespace: ref.namespace, name: ref.name, ownerReferences: [ownerOf({ name, uid })] }
    return [{ kind: 'create', type: roleKind.type, object: roleKind.make(key, { serviceAccount, policyDocument }) }]
  }
  if (!isOurs(object, uid) || isEqualJson(object.spec.policyDocument, policyDocument)) return []
  const { namespace = '', name: held, uid: seen } = object.metadata
  const gone = Object.keys(object.spec.policyDocument ?? {}).filter(field => !(field in policyDocument))
  const body = { spec: { policyDocument: { ...policyDocument, ...Object.fromEntries(gone.map(field => [field, null])) } } }
  return [{ kind: 'patch', type: roleKind.type, key: { namespace, name: held }, patch: 'merge', body, uid: seen }]
}

function isOurs({ metadata }: ServiceAccountRole, uid: string): boolean {
  return (metadata.ownerReferences ?? []).some(owner => owner.uid === uid && owner.controller === true)
}

/** Of the zones that are written; with a role to assume, the right to assume it and nothing else. */
export function bindingPolicy({ provider }: DnsSpec, zones: readonly string[], region: string): ZonePolicy {
  const { assumeRole, region: own, zoneTags } = provider.aws ?? {}
  const partition = partitionOf(own ?? region).id
  if (assumeRole?.arn === undefined) return permissionPolicy(partition, zones, zoneTags)
  const Statement = [{ Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [assumeRole.arn] }]
  return { Version: '2012-10-17', Statement }
}
