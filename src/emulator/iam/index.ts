// IAM, assembled. README.md says what is faithful and what is not.
import { type ServiceModel, serviceModel } from '#aws'
import type { Context, Service } from '../service.ts'
import { newestOf } from '../state/timeline.ts'
import { accountOperations } from './account.ts'
import { boundaryOperations } from './boundaries.ts'
import { entityPolicyOperations } from './entity-policies.ts'
import { emptyState, type IamState, living, type TimedTable } from './model.ts'
import { policyOperations } from './policies.ts'
import { iamPorts } from './port.ts'
import { profileOperations } from './profiles.ts'
import { providerOperations } from './providers.ts'
import { iamQuotas } from './quotas.ts'
import { roleOperations } from './roles.ts'
import { finishDeletion, serviceLinkedOperations } from './service-linked.ts'
import { simulateOperations } from './simulate.ts'
import { tagOperations } from './tags.ts'
import { userOperations } from './users.ts'

const rateExceeded = { code: 'Throttling', status: 400, message: 'Rate exceeded' }
const isHeavy = (operation: string): boolean => operation.startsWith('Simulate') || operation === 'GetAccountAuthorizationDetails'
const isRead = (operation: string): boolean => /^(?:Get|List)/.test(operation) && !isHeavy(operation)

export const iam: Service<IamState> = {
  name: 'iam',
  get model(): ServiceModel {
    return serviceModel('iam')
  },
  address: { hosts: ['iam'], globalRegion: 'us-east-1', formVersion: '2010-05-08' },
  scope: 'account',
  initial: () => emptyState,
  operations: {
    ...roleOperations,
    ...boundaryOperations,
    ...entityPolicyOperations,
    ...policyOperations,
    ...providerOperations,
    ...profileOperations,
    ...userOperations,
    ...tagOperations,
    ...serviceLinkedOperations,
    ...accountOperations,
    ...simulateOperations,
  },
  timers: { forget, 'delete-service-linked-role': finishDeletion },
  offers: iamPorts,
  *resources(context) {
    const state = context.store.get()
    for (const [, policy] of living(state, 'policies')) yield { arn: policy.arn, type: 'iam:policy', tags: tagMap(policy.tags) }
    for (const [, provider] of living(state, 'providers'))
      yield { arn: provider.arn, type: 'iam:oidc-provider', tags: tagMap(provider.tags) }
  },
  quotas: { title: 'AWS Identity and Access Management (IAM)', quotas: iamQuotas },
  throttles: [
    { name: 'read', operations: isRead, perSecond: 20, burst: 60, source: 'choice', per: 'account', error: rateExceeded },
    { name: 'heavy', operations: isHeavy, perSecond: 1, burst: 5, source: 'choice', per: 'account', error: rateExceeded },
    {
      name: 'write',
      operations: operation => !isRead(operation) && !isHeavy(operation),
      perSecond: 5,
      burst: 20,
      source: 'choice',
      per: 'account',
      error: rateExceeded,
    },
  ],
}

function tagMap(tags: readonly { readonly Key: string; readonly Value: string }[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tags.map(tag => [tag.Key, tag.Value]))
}

/** Sweeps out a deleted object that no late reader can see any more. */
function forget(context: Context<IamState>, id: string): void {
  const [table, ...rest] = id.split('/')
  const key = rest.join('/')
  const state = context.store.get()
  const map = state[table as TimedTable]
  const timeline = map.get(key)
  if (timeline !== undefined && newestOf<unknown>(timeline) === undefined)
    context.store.set({ ...state, [table as TimedTable]: map.delete(key) })
}
