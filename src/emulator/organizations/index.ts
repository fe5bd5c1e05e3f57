// The read side of Organizations: one organization, its management account and the accounts of the emulator (§11).

import { type ServiceModel, serviceModel } from '#aws'
import { given } from '#base'
import { ServiceError } from '../error.ts'
import { numberedPage } from '../numbered-page.ts'
import type { Call, Service } from '../service.ts'

type State = Readonly<Record<string, never>>
type CallOrg<I> = Call<State, I>

const moment = Date.UTC(2024, 0, 1)

function member(call: Call<State>): readonly string[] {
  const accounts = call.ports.organization.accounts()
  if (accounts.includes(call.account)) return accounts
  throw new ServiceError('AWSOrganizationsNotInUseException', 400, 'Your account is not a member of an organization.')
}

function authorise(call: Call<State>): void {
  call.authorise({ action: `organizations:${call.operation}`, resource: '*' })
}

function accountArn(call: Call<State>, account: string): string {
  const { id, accounts } = { id: call.ports.organization.id, accounts: call.ports.organization.accounts() }
  return `arn:${call.partition}:organizations::${accounts[0]}:account/${id}/${account}`
}

function describeOrganization(call: CallOrg<object>): object {
  authorise(call)
  const [management = ''] = member(call)
  const { id } = call.ports.organization
  return {
    Organization: {
      Id: id,
      Arn: `arn:${call.partition}:organizations::${management}:organization/${id}`,
      FeatureSet: 'ALL',
      MasterAccountArn: accountArn(call, management),
      MasterAccountId: management,
      MasterAccountEmail: `aws-${management}@example.com`,
      AvailablePolicyTypes: [{ Type: 'SERVICE_CONTROL_POLICY', Status: 'ENABLED' }],
    },
  }
}

function renderAccount(call: Call<State>, account: string): object {
  return {
    Id: account,
    Arn: accountArn(call, account),
    Email: `aws-${account}@example.com`,
    Name: `account-${account}`,
    Status: 'ACTIVE',
    JoinedMethod: account === call.ports.organization.accounts()[0] ? 'INVITED' : 'CREATED',
    JoinedTimestamp: moment,
  }
}

function describeAccount(call: CallOrg<{ readonly AccountId: string }>): object {
  authorise(call)
  const accounts = member(call)
  if (!accounts.includes(call.input.AccountId)) {
    throw new ServiceError('AccountNotFoundException', 400, "You specified an account that doesn't exist.")
  }
  return { Account: renderAccount(call, call.input.AccountId) }
}

const pageSize = 20

function listAccounts(call: CallOrg<{ readonly NextToken?: string; readonly MaxResults?: number }>): object {
  authorise(call)
  const { NextToken, MaxResults } = call.input
  const page = numberedPage(call, member(call), { token: NextToken, size: Math.min(MaxResults ?? pageSize, pageSize) })
  if (page === undefined) throw new ServiceError('InvalidInputException', 400, 'You provided an invalid NextToken.')
  return { Accounts: page.items.map(account => renderAccount(call, account)), ...given({ NextToken: page.nextToken }) }
}

/** There are no organizational units: every account hangs on the root. */
function listParents(call: CallOrg<{ readonly ChildId: string }>): object {
  authorise(call)
  if (!member(call).includes(call.input.ChildId)) {
    throw new ServiceError('ChildNotFoundException', 400, "We can't find an organizational unit or account with the given id.")
  }
  return { Parents: [{ Id: call.ports.organization.rootId, Type: 'ROOT' }] }
}

function listRoots(call: CallOrg<object>): object {
  authorise(call)
  const [management = ''] = member(call)
  const { id, rootId } = call.ports.organization
  const arn = `arn:${call.partition}:organizations::${management}:root/${id}/${rootId}`
  return { Roots: [{ Id: rootId, Arn: arn, Name: 'Root', PolicyTypes: [{ Type: 'SERVICE_CONTROL_POLICY', Status: 'ENABLED' }] }] }
}

function listPoliciesForTarget(call: CallOrg<{ readonly TargetId: string; readonly Filter: string }>): object {
  authorise(call)
  const accounts = member(call)
  const { TargetId, Filter } = call.input
  if (!accounts.includes(TargetId) && TargetId !== call.ports.organization.rootId) {
    throw new ServiceError('TargetNotFoundException', 400, "We can't find a root, OU, or account with the given id.")
  }
  const own = Filter === 'SERVICE_CONTROL_POLICY' ? (call.knobs.serviceControlPolicies[TargetId] ?? []).flat() : []
  const full = {
    Id: 'p-FullAWSAccess',
    Arn: `arn:${call.partition}:organizations::aws:policy/service_control_policy/p-FullAWSAccess`,
  }
  const policies = [
    ...(Filter === 'SERVICE_CONTROL_POLICY' ? [{ ...full, Name: 'FullAWSAccess', Type: Filter, AwsManaged: true }] : []),
    ...own.map((_, index) => ({
      Id: `p-emu${TargetId}${index}`,
      Arn: `arn:${call.partition}:organizations::${accounts[0]}:policy/${call.ports.organization.id}/service_control_policy/p-emu${TargetId}${index}`,
      Name: `policy-${index + 1}`,
      Type: Filter,
      AwsManaged: false,
    })),
  ]
  return { Policies: policies }
}

export const organizations: Service<State> = {
  name: 'organizations',
  get model(): ServiceModel {
    return serviceModel('organizations')
  },
  address: { hosts: ['organizations'], globalRegion: 'us-east-1', target: 'AWSOrganizationsV20161128' },
  scope: 'account',
  initial: () => ({}),
  operations: {
    DescribeAccount: describeAccount,
    DescribeOrganization: describeOrganization,
    ListAccounts: listAccounts,
    ListParents: listParents,
    ListPoliciesForTarget: listPoliciesForTarget,
    ListRoots: listRoots,
  },
  throttles: [
    {
      name: 'organizations',
      operations: 'all',
      perSecond: 5,
      burst: 10,
      source: 'choice',
      per: 'account',
      error: { code: 'TooManyRequestsException', status: 400, message: 'Rate exceeded' },
    },
  ],
}
