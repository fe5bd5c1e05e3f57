// The validating webhooks, served: reads past the caches, so that what was created a moment ago counts, and each within the time that
// the API server waits.
import type { KubeObject, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { type AdmissionAnswer, type AdmissionRequest, admissionHandler, type WebhookHandler } from '#runtime'
import { configKind, roleKind } from '../api/kinds.ts'
import { group, singletonName } from '../api/labels.ts'
import { admit, type NamespaceSeen, needsOf, type RoleBrief, serviceAccountOf } from './admit.ts'

/** Longest read: less than the ten seconds that an API server gives the whole answer. */
const readMsMax = 8_000

export const admissionPaths = {
  config: '/validate-aws-identity-appthrust-io-v1alpha1-awsworkloadidentityconfig',
  role: '/validate-aws-identity-appthrust-io-v1alpha1-awsserviceaccountrole',
  replicaSet: '/validate-aws-identity-appthrust-io-v1alpha1-awsserviceaccountrolereplicaset',
} as const

/** By path: for a host that serves them, or for an API server in the same process. */
export function admissionHandlers(client: KubeClient): Readonly<Record<string, WebhookHandler>> {
  const handler = admissionHandler((request, signal) => answer(client, request, signal))
  return Object.fromEntries(Object.values(admissionPaths).map(path => [path, handler]))
}

async function answer(client: KubeClient, request: AdmissionRequest, signal: AbortSignal): Promise<AdmissionAnswer> {
  if (request.resource.group !== group || (request.subResource ?? '') !== '') return { kind: 'allow' }
  try {
    return admit(request, await look(client, request, signal))
  } catch (error) {
    return failed(error)
  }
}

async function look(client: KubeClient, request: AdmissionRequest, signal: AbortSignal): Promise<NamespaceSeen> {
  const namespace = request.namespace ?? ''
  const needs = needsOf(request)
  const options = { signal, timeoutMs: readMsMax }
  const [config, roles] = await Promise.all([
    needs.startsWith('config') ? client.find(configKind.type, { namespace, name: singletonName }, options) : undefined,
    needs === 'one-role'
      ? client.list(roleKind.type, { namespace, limit: 1, ...options }).then(({ items }) => items)
      : needs === 'config-and-roles'
        ? client.listAll(roleKind.type, { namespace, fieldManagers: [], ...options }).then(({ items }) => items)
        : [],
  ])
  return {
    config: config === undefined ? undefined : { terminating: isTerminating(config) },
    roles: roles.map(briefOf),
  }
}

function briefOf(object: StoredObject): RoleBrief {
  return {
    name: object.metadata.name,
    serviceAccount: serviceAccountOf(object) ?? { namespace: '', name: '' },
    terminating: isTerminating(object),
  }
}

function isTerminating({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** A read that the server refused says so in its own words; anything else is our failure, and the request is not let through. */
function failed(error: unknown): AdmissionAnswer {
  if (error instanceof KubeError && error.status !== undefined) {
    const { code, reason, message } = error.status
    return {
      kind: 'deny',
      code: code ?? error.httpStatus ?? 500,
      reason: reason ?? 'InternalError',
      message: message ?? 'a read for the decision was refused',
    }
  }
  const message = 'the objects that the decision needs could not be read; try again'
  return { kind: 'deny', code: 500, reason: 'InternalError', message }
}
