// What may not be created, changed or deleted because of other objects. Pure: the request and what was read for it (S19). A schema says
// the rest. Nothing here is needed for safety: the controllers report the same conflicts, only later.
import { compareText, isRecord, memberAt } from '#base'
import type { AdmissionAnswer, AdmissionRequest } from '#runtime'
import { annotations, reservedLabelKeys } from '../api/labels.ts'

/** A role as far as admission looks at it. */
export interface RoleBrief {
  readonly name: string
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
  readonly terminating: boolean
}

export interface NamespaceSeen {
  /** `default` of the namespace. */
  readonly config: { readonly terminating: boolean } | undefined
  /** All of it, or as many as were asked for. */
  readonly roles: readonly RoleBrief[]
}

/** What has to be read before the answer; by what the request is. */
export function needsOf(request: AdmissionRequest): 'nothing' | 'config' | 'one-role' | 'config-and-roles' {
  switch (request.resource.resource) {
    case 'awsworkloadidentityconfigs':
      return isForced(request.oldObject) ? 'nothing' : 'one-role'
    case 'awsserviceaccountroles':
      if (request.operation === 'CREATE') return 'config-and-roles'
      return isTerminating(request.object) ? 'nothing' : 'config'
    default:
      return 'nothing'
  }
}

export function admit(request: AdmissionRequest, seen: NamespaceSeen): AdmissionAnswer {
  switch (request.resource.resource) {
    case 'awsworkloadidentityconfigs':
      return admitConfigDeletion(request, seen)
    case 'awsserviceaccountroles':
      return request.operation === 'CREATE' ? admitRoleCreation(request, seen) : admitRoleUpdate(request, seen)
    case 'awsserviceaccountrolereplicasets':
      return admitReplicaSet(request)
    default:
      return allow
  }
}

const allow: AdmissionAnswer = { kind: 'allow' }

function admitConfigDeletion(request: AdmissionRequest, { roles }: NamespaceSeen): AdmissionAnswer {
  const [first] = roles
  if (isForced(request.oldObject) || first === undefined) return allow
  const namespace = request.namespace ?? ''
  return deny(
    `AWSServiceAccountRoles remain in namespace ${namespace} (${first.name} is one); delete them first, or annotate the config with ${annotations.forceDelete}=true`,
  )
}

function admitRoleCreation(request: AdmissionRequest, { config, roles }: NamespaceSeen): AdmissionAnswer {
  const namespace = request.namespace ?? ''
  const wanted = serviceAccountOf(request.object)
  if (wanted === undefined) return unreadable('spec.serviceAccount has no namespace or no name')
  if (config === undefined) return withoutConfig(namespace)
  if (config.terminating) {
    return deny(
      `AWSWorkloadIdentityConfig/default in namespace ${namespace} is being deleted; create the role when there is a new one`,
    )
  }
  const rival = roles.find(
    ({ serviceAccount, terminating }) =>
      !terminating && serviceAccount.namespace === wanted.namespace && serviceAccount.name === wanted.name,
  )
  if (rival === undefined) return allow
  return deny(
    `ServiceAccount ${wanted.namespace}/${wanted.name} is bound by AWSServiceAccountRole ${namespace}/${rival.name} already; change that one, or delete it first`,
  )
}

/** Duplicates are no matter here: it would block our own finalizer patches. */
function admitRoleUpdate(request: AdmissionRequest, { config }: NamespaceSeen): AdmissionAnswer {
  if (isTerminating(request.object) || config !== undefined) return allow
  return withoutConfig(request.namespace ?? '')
}

function admitReplicaSet({ object }: AdmissionRequest): AdmissionAnswer {
  const metadata = memberAt(object, 'spec', 'template', 'metadata')
  if (metadata !== undefined && !isRecord(metadata)) return unreadable('spec.template.metadata is no object')
  const reservedKeys: readonly (readonly [string, readonly string[]])[] = [
    ['labels', reservedLabelKeys],
    ['annotations', [annotations.replicaSetOwnerRef]],
  ]
  for (const [field, reserved] of reservedKeys) {
    const map = isRecord(metadata) ? metadata[field] : undefined
    const found = Object.keys(isRecord(map) ? map : {})
      .toSorted(compareText)
      .find(key => reserved.includes(key))
    if (found === undefined) continue
    return deny(`spec.template.metadata.${field}["${found}"] is reserved for the operator; leave it out`)
  }
  return allow
}

export function unreadable(detail: string): AdmissionAnswer {
  return { kind: 'deny', code: 400, reason: 'BadRequest', message: `the object cannot be read: ${detail}` }
}

/** `undefined` for what is none: a schema that was not enforced, an older object. */
export function serviceAccountOf(object: unknown): RoleBrief['serviceAccount'] | undefined {
  const found = memberAt(object, 'spec', 'serviceAccount')
  if (!isRecord(found) || typeof found.namespace !== 'string' || typeof found.name !== 'string') return undefined
  return { namespace: found.namespace, name: found.name }
}

function withoutConfig(namespace: string): AdmissionAnswer {
  return deny(`there is no AWSWorkloadIdentityConfig/default in namespace ${namespace}; create it first`)
}

function deny(message: string): AdmissionAnswer {
  return { kind: 'deny', message }
}

function isForced(object: unknown): boolean {
  const held = memberAt(object, 'metadata', 'annotations')
  return isRecord(held) && held[annotations.forceDelete] === 'true'
}

function isTerminating(object: unknown): boolean {
  return memberAt(object, 'metadata', 'deletionTimestamp') !== undefined
}
