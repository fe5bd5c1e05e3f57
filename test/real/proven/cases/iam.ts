import { containing, type KindCase, type Probe } from '../case.ts'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const may = (action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })
const absent = { error: /NoSuchEntity/ }
const arn = '{status.ackResourceMetadata.arn}'
const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
const made = 'arn:aws:iam::123456789012:policy/reads'
const makePolicy = ['iam', 'CreatePolicy', { PolicyName: 'reads', PolicyDocument: may('s3:Get*') }] as const
const role = (says: object): Probe => ({ operation: 'GetRole', input: { RoleName: 'runs' }, says })
const user = (says: object): Probe => ({ operation: 'GetUser', input: { UserName: 'robot' }, says })
const group = (says: object): Probe => ({ operation: 'GetGroup', input: { GroupName: 'crew' }, says })
const team = { key: 'team', value: 'red' }
const tagged = { Tags: containing({ Key: 'team', Value: 'red' }) }
const readPolicy = { kind: 'Policy', name: 'reads', spec: { name: 'reads', policyDocument: may('s3:Get*') } }

export const identityCases: readonly KindCase[] = [
  {
    service: 'iam',
    kind: 'Role',
    others: [readPolicy],
    spec: {
      name: 'runs',
      assumeRolePolicyDocument: trust,
      description: 'one',
      policyRefs: [{ from: { name: 'reads' } }],
    },
    made: {
      operation: 'ListAttachedRolePolicies',
      input: { RoleName: 'runs' },
      says: { AttachedPolicies: [{ PolicyName: 'reads' }] },
    },
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: role({ Role: { Description: 'two' } }),
        drift: { operation: 'UpdateRole', input: { RoleName: 'runs', Description: 'strange' } },
      },
      { name: 'maxSessionDuration', spec: { maxSessionDuration: 7200 }, probe: role({ Role: { MaxSessionDuration: 7200 } }) },
      {
        name: 'inlinePolicies',
        spec: { inlinePolicies: { own: may('s3:List*') } },
        probe: { operation: 'ListRolePolicies', input: { RoleName: 'runs' }, says: { PolicyNames: ['own'] } },
        drift: { operation: 'DeleteRolePolicy', input: { RoleName: 'runs', PolicyName: 'own' } },
      },
      {
        name: 'permissionsBoundary',
        spec: { permissionsBoundary: readOnly },
        probe: role({ Role: { PermissionsBoundary: { PermissionsBoundaryArn: readOnly } } }),
        drift: { operation: 'DeleteRolePermissionsBoundary', input: { RoleName: 'runs' } },
      },
      {
        name: 'policyRefs taken out',
        spec: { policyRefs: null },
        probe: { operation: 'ListAttachedRolePolicies', input: { RoleName: 'runs' }, says: { AttachedPolicies: [] } },
      },
      {
        name: 'tags',
        spec: { tags: [team] },
        probe: { operation: 'ListRoleTags', input: { RoleName: 'runs' }, says: tagged },
        drift: { operation: 'UntagRole', input: { RoleName: 'runs', TagKeys: ['team'] } },
      },
    ],
    gone: role(absent),
  },
  {
    service: 'iam',
    kind: 'Policy',
    spec: { name: 'reads', policyDocument: may('s3:Get*'), description: 'one' },
    made: { operation: 'GetPolicy', input: { PolicyArn: arn }, says: { Policy: { Description: 'one' } } },
    changes: [
      {
        name: 'policyDocument',
        spec: { policyDocument: may('s3:List*') },
        probe: { operation: 'GetPolicy', input: { PolicyArn: arn }, says: { Policy: { DefaultVersionId: 'v2' } } },
      },
      {
        name: 'tags',
        spec: { tags: [team] },
        probe: { operation: 'ListPolicyTags', input: { PolicyArn: arn }, says: tagged },
        drift: { operation: 'UntagPolicy', input: { PolicyArn: arn, TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'GetPolicy', input: { PolicyArn: arn }, says: absent },
  },
  {
    service: 'iam',
    kind: 'User',
    needs: [makePolicy],
    spec: { name: 'robot', policies: [made] },
    made: {
      operation: 'ListAttachedUserPolicies',
      input: { UserName: 'robot' },
      says: { AttachedPolicies: [{ PolicyArn: made }] },
    },
    changes: [
      {
        name: 'inlinePolicies',
        spec: { inlinePolicies: { own: may('s3:List*') } },
        probe: { operation: 'ListUserPolicies', input: { UserName: 'robot' }, says: { PolicyNames: ['own'] } },
        drift: { operation: 'DeleteUserPolicy', input: { UserName: 'robot', PolicyName: 'own' } },
      },
      {
        name: 'tags',
        spec: { tags: [team] },
        probe: { operation: 'ListUserTags', input: { UserName: 'robot' }, says: tagged },
        drift: { operation: 'UntagUser', input: { UserName: 'robot', TagKeys: ['team'] } },
      },
    ],
    gone: user(absent),
  },
  {
    service: 'iam',
    kind: 'Group',
    needs: [makePolicy],
    spec: { name: 'crew', policies: [made] },
    made: group({ Group: { GroupName: 'crew' } }),
    changes: [
      {
        name: 'inlinePolicies',
        spec: { inlinePolicies: { own: may('s3:List*') } },
        probe: { operation: 'ListGroupPolicies', input: { GroupName: 'crew' }, says: { PolicyNames: ['own'] } },
        drift: { operation: 'DeleteGroupPolicy', input: { GroupName: 'crew', PolicyName: 'own' } },
      },
      {
        name: 'policies taken out',
        spec: { policies: null },
        probe: { operation: 'ListAttachedGroupPolicies', input: { GroupName: 'crew' }, says: { AttachedPolicies: [] } },
      },
    ],
    gone: group(absent),
  },
  {
    service: 'iam',
    kind: 'InstanceProfile',
    others: [{ kind: 'Role', name: 'runs', spec: { name: 'runs', assumeRolePolicyDocument: trust } }],
    spec: { name: 'machine', roleRef: { from: { name: 'runs' } } },
    made: {
      operation: 'GetInstanceProfile',
      input: { InstanceProfileName: 'machine' },
      says: { InstanceProfile: { Roles: [{ RoleName: 'runs' }] } },
    },
    changes: [
      {
        name: 'tags',
        spec: { tags: [team] },
        probe: {
          operation: 'GetInstanceProfile',
          input: { InstanceProfileName: 'machine' },
          says: { InstanceProfile: tagged },
        },
      },
    ],
    gone: { operation: 'GetInstanceProfile', input: { InstanceProfileName: 'machine' }, says: absent },
  },
  {
    service: 'iam',
    kind: 'OpenIDConnectProvider',
    spec: { url: 'https://issuer.example.com', clientIDs: ['a'], thumbprints: ['a'.repeat(40)] },
    made: {
      operation: 'GetOpenIDConnectProvider',
      input: { OpenIDConnectProviderArn: arn },
      says: { ClientIDList: ['a'] },
    },
    changes: [
      {
        name: 'thumbprints',
        spec: { thumbprints: ['b'.repeat(40)] },
        probe: {
          operation: 'GetOpenIDConnectProvider',
          input: { OpenIDConnectProviderArn: arn },
          says: { ThumbprintList: ['b'.repeat(40)] },
        },
      },
      {
        name: 'tags',
        spec: { tags: [team] },
        probe: { operation: 'GetOpenIDConnectProvider', input: { OpenIDConnectProviderArn: arn }, says: tagged },
      },
    ],
    gone: { operation: 'GetOpenIDConnectProvider', input: { OpenIDConnectProviderArn: arn }, says: absent },
  },
  {
    service: 'iam',
    kind: 'ServiceLinkedRole',
    cannot: {
      'read-only': 'the CRD has no field for its name',
      adoption: 'the CRD has no field for its name',
      delete: 'of what was not adopted',
    },
    spec: { awsServiceName: 'autoscaling.amazonaws.com', description: 'one' },
    made: { operation: 'GetRole', input: { RoleName: '{status.roleName}' }, says: { Role: { Description: 'one' } } },
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: { operation: 'GetRole', input: { RoleName: '{status.roleName}' }, says: { Role: { Description: 'two' } } },
        drift: { operation: 'UpdateRole', input: { RoleName: '{status.roleName}', Description: 'strange' } },
      },
    ],
    gone: { operation: 'GetRole', input: { RoleName: '{status.roleName}' }, says: absent },
  },
]
