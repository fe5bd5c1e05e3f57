// The Config and the Role of the hub: what the operator said of them, and whether it said it of what stands there now.
import { findCondition, type ObjectKey, type StoredCondition } from '#kube'
import {
  configKind,
  roleKind,
  type ServiceAccountRole,
  singletonName,
  type WorkloadIdentityConfig,
} from '#operators/identity/api'
import type { HubReader, RemoteRequest } from './options.ts'
import { RemoteCredentialsError, type RemoteWay } from './remote-error.ts'

export async function findConfig(
  hub: HubReader,
  { namespace }: RemoteRequest,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<WorkloadIdentityConfig> {
  const config = await hub
    .get<WorkloadIdentityConfig>(configKind.type, { namespace, name: singletonName }, optional(signal))
    .catch((cause: unknown) => {
      const detail = `${configKind.type.kind} ${namespace}/${singletonName} cannot be read`
      throw new RemoteCredentialsError('ConfigNotFound', detail, { way, cause })
    })
  const { type } = config.spec
  if (type !== 'SelfHostedIRSA' && type !== 'EKSIRSA') {
    const detail = `the config has the type ${type}, which gives no role to a token; SelfHostedIRSA and EKSIRSA do`
    throw new RemoteCredentialsError('UnsupportedDeliveryType', detail, { way })
  }
  const lag = lagOf(config)
  if (lag !== undefined) throw new RemoteCredentialsError('ConfigNotReady', `the config ${lag}`, { way })
  return config
}

/** A Role that is named may be on its way out: until it is gone its role is there. Of those that are not named such a one does not count. */
export async function findRole(
  hub: HubReader,
  { namespace, roleName, serviceAccount }: RemoteRequest,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<ServiceAccountRole> {
  const fail = (detail: string) => (cause: unknown) => {
    throw new RemoteCredentialsError('RoleNotFound', detail, { way, cause })
  }
  if (roleName !== '') {
    const key = { namespace, name: roleName }
    return await hub
      .get<ServiceAccountRole>(roleKind.type, key, optional(signal))
      .catch(fail(`${roleKind.type.kind} ${namespace}/${roleName} cannot be read`))
  }
  const { items } = await hub
    .listAll<ServiceAccountRole>(roleKind.type, { namespace, ...optional(signal) })
    .catch(fail(`the Roles of namespace ${namespace} cannot be listed`))
  const fitting = items.filter(role => role.metadata.deletionTimestamp === undefined && isOf(role, serviceAccount))
  const [role, ...others] = fitting
  if (role === undefined) {
    throw new RemoteCredentialsError('RoleNotFound', `no Role in namespace ${namespace} is for this ServiceAccount`, { way })
  }
  if (others.length === 0) return role
  const names = fitting.map(({ metadata }) => metadata.name).toSorted()
  throw new RemoteCredentialsError('MultipleRoles', `several Roles are for this ServiceAccount: ${names.join(', ')}`, { way })
}

/** The ARN that the Role has now, for whom it is meant. */
export function roleArnOf(role: ServiceAccountRole, { serviceAccount }: RemoteRequest, way: RemoteWay): string {
  if (!isOf(role, serviceAccount)) {
    const { namespace, name } = role.spec.serviceAccount
    throw new RemoteCredentialsError('RoleServiceAccountMismatch', `the Role is for ServiceAccount ${namespace}/${name}`, { way })
  }
  const arn = role.status?.roleARN ?? ''
  const lag = arn === '' ? 'has no ARN yet' : lagOf(role)
  if (lag !== undefined) throw new RemoteCredentialsError('RoleARNNotReady', `the Role ${lag}`, { way })
  return arn
}

function isOf({ spec }: ServiceAccountRole, { namespace, name }: ObjectKey): boolean {
  return spec.serviceAccount.namespace === namespace && spec.serviceAccount.name === name
}

interface Judged {
  readonly metadata: { readonly generation?: number }
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly StoredCondition[] }
}

/** What keeps what is said of an object from being said of what it is now. */
function lagOf({ metadata: { generation = 0 }, status }: Judged): string | undefined {
  if ((status?.observedGeneration ?? 0) < generation) return 'was changed, and the operator has not looked at it yet'
  const ready = findCondition(status?.conditions, 'Ready')
  if (ready === undefined) return 'has no condition Ready yet'
  if (ready.status !== 'True') return `is not Ready: ${ready.reason}`
  return (ready.observedGeneration ?? 0) < generation ? 'was changed since it was Ready' : undefined
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
