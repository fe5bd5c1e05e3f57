// What lies in a cluster of EKS: add-ons, node groups, identity providers, access entries and updates, from their making to their end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ask, type Asked, asked, at, each } from './asked.ts'

const account = '123456789012'
const trust = (Service: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service }, Action: ['sts:AssumeRole', 'sts:TagSession'] }],
  })
const roleArn = `arn:aws:iam::${account}:role/control`
const podRoleArn = `arn:aws:iam::${account}:role/pods`
const subnetIds = ['subnet-1', 'subnet-2']
const clusterName = 'c'

async function roles({ iam }: Asked): Promise<void> {
  await iam('CreateRole', { RoleName: 'control', AssumeRolePolicyDocument: trust('eks.amazonaws.com') })
  await iam('CreateRole', { RoleName: 'pods', AssumeRolePolicyDocument: trust('pods.eks.amazonaws.com') })
}

/** A cluster that is ready; everything else takes a minute. */
async function ready(): Promise<Asked> {
  const world = asked({
    knobs: { delays: { clusterReady: 60_000, clusterGone: 60_000, addonReady: 60_000, identityProviderReady: 60_000 } },
  })
  await roles(world)
  await world.eks('CreateCluster', { name: clusterName, roleArn, resourcesVpcConfig: { subnetIds } })
  await world.clock.advance(60_000)
  return world
}

/** Now, one millisecond before the minute is over, and when it is. */
async function overAMinute({ clock }: Asked, read: () => Promise<unknown>): Promise<readonly unknown[]> {
  const found = [await read()]
  for (const ms of [59_999, 1]) {
    await clock.advance(ms)
    found.push(await read())
  }
  return found
}

const parts: readonly (readonly [what: string, kind: string, list: string, input: object, taken: string, absent: string])[] = [
  ['an add-on', 'Addon', 'addons', { addonName: 'p' }, 'Addon already exists.', 'No addon: p found in cluster: c'],
  [
    'a node group',
    'Nodegroup',
    'nodegroups',
    { nodegroupName: 'p', nodeRole: roleArn, subnets: ['subnet-1'] },
    'NodeGroup already exists with name p and cluster name c',
    'No node group found for name: p.',
  ],
]
for (const [what, kind, list, input, taken, absent] of parts) {
  const member = kind.toLowerCase()
  const one = { clusterName, ...input }

  test(`${what} is being made for a minute, then there, and being deleted for a minute`, async () => {
    const world = await ready()
    const { eks } = world
    const status = async (): Promise<unknown> => at(await eks(`Describe${kind}`, one), member, 'status')
    const listed = async (): Promise<unknown> => at(await eks(`List${kind}s`, { clusterName }), list)
    const gone = ['ResourceNotFoundException', 404, absent]
    assert.deepEqual(await eks(`Describe${kind}`, one), gone)
    const made = await eks(`Create${kind}`, { ...one, tags: { k: 'v' } })
    assert.deepEqual([at(made, member, 'status'), at(made, member, 'tags')], ['CREATING', { k: 'v' }])
    assert.equal(world.aws.nextDeadline(), world.clock.now() + 60_000)
    assert.deepEqual(await eks(`Create${kind}`, one), ['ResourceInUseException', 409, taken])
    assert.deepEqual(await overAMinute(world, status), ['CREATING', 'CREATING', 'ACTIVE'])
    assert.deepEqual(await listed(), ['p'])
    assert.equal(at(await eks(`Delete${kind}`, one), member, 'status'), 'DELETING')
    assert.equal(world.aws.nextDeadline(), world.clock.now() + 60_000)
    assert.deepEqual(await listed(), ['p'])
    assert.deepEqual(await overAMinute(world, status), ['DELETING', 'DELETING', undefined])
    assert.deepEqual([await eks(`Describe${kind}`, one), await listed()], [gone, []])
    assert.equal(at(await eks(`Create${kind}`, one), member, 'status'), 'CREATING')
  })

  test(`${what} is made in a cluster that is ready, once for each token`, async () => {
    const world = await ready()
    const { eks, clock } = world
    const token = { clientRequestToken: 't' }
    const arn = async (more: object): Promise<unknown> => {
      const answer = await eks(`Create${kind}`, { ...one, ...more })
      return at(answer, member, `${member}Arn`) ?? answer
    }
    const first = await arn(token)
    assert.match(String(first), /^arn:aws:eks:/)
    assert.equal(await arn(token), first)
    assert.deepEqual(await arn({ ...token, tags: { k: 'v' } }), [
      'InvalidParameterException',
      400,
      'The client request token was used with different parameters',
    ])
    await eks('CreateCluster', { name: 'young', roleArn, resourcesVpcConfig: { subnetIds } })
    assert.deepEqual(await eks(`Create${kind}`, { ...one, clusterName: 'young' }), [
      'InvalidRequestException',
      400,
      "Cluster 'young' is not in ACTIVE status",
    ])
    await clock.advance(24 * 3_600_000)
    assert.deepEqual(await arn(token), ['ResourceInUseException', 409, taken])
  })
}

test('an add-on owns the associations of its pods, in its namespace, and takes them with it', async () => {
  const { eks } = await ready()
  const associations = async (): Promise<readonly unknown[]> => {
    const answer = await eks('ListPodIdentityAssociations', { clusterName })
    return (at(answer, 'associations') as object[]).map(one => [at(one, 'namespace'), at(one, 'serviceAccount')])
  }
  const pods = (...names: readonly string[]): object => ({
    podIdentityAssociations: names.map(serviceAccount => ({ serviceAccount, roleArn: podRoleArn })),
  })
  await eks('CreateAddon', { clusterName, addonName: 'external-dns', ...pods('a') })
  await eks('CreateAddon', {
    clusterName,
    addonName: 'vpc-cni',
    ...pods('b', 'c'),
    configurationValues: '{}',
    serviceAccountRoleArn: roleArn,
    addonVersion: 'v1',
  })
  const all = [
    ['external-dns', 'a'],
    ['kube-system', 'b'],
    ['kube-system', 'c'],
  ]
  assert.deepEqual(await associations(), all)
  const addon = async (): Promise<unknown> => {
    const answer = at(await eks('DescribeAddon', { clusterName, addonName: 'vpc-cni' }), 'addon')
    return ['addonVersion', 'configurationValues', 'serviceAccountRoleArn'].map(name => at(answer, name))
  }
  assert.deepEqual(await addon(), ['v1', '{}', roleArn])
  await eks('UpdateAddon', { clusterName, addonName: 'vpc-cni' })
  assert.deepEqual([await addon(), await associations()], [['v1', '{}', roleArn], all])
  await eks('UpdateAddon', {
    clusterName,
    addonName: 'vpc-cni',
    ...pods('d'),
    configurationValues: '{"a":1}',
    serviceAccountRoleArn: podRoleArn,
    addonVersion: 'v2',
  })
  assert.deepEqual(await addon(), ['v2', '{"a":1}', podRoleArn])
  assert.deepEqual(await associations(), [
    ['external-dns', 'a'],
    ['kube-system', 'd'],
  ])
  assert.deepEqual(
    await eks('CreateAddon', { clusterName, addonName: 'other', ...pods('d') }).then(answer => at(answer, 0)),
    'ResourceInUseException',
  )
  await eks('DeleteAddon', { clusterName, addonName: 'vpc-cni' })
  assert.deepEqual(await associations(), [['external-dns', 'a']])
})

const oidc = { identityProviderConfigName: 'idp', issuerUrl: 'https://issuer.example.com', clientId: 'kubernetes' }
const identityProviderConfig = { type: 'oidc', name: 'idp' }

test('a cluster has one identity provider, over https, until it was disassociated', async () => {
  const world = await ready()
  const { eks } = world
  const associate = (more: object = {}): Promise<unknown> =>
    eks('AssociateIdentityProviderConfig', { clusterName, oidc: { ...oidc, ...more }, tags: { k: 'v' } })
  const describe = (): Promise<unknown> => eks('DescribeIdentityProviderConfig', { clusterName, identityProviderConfig })
  const status = async (): Promise<unknown> => at(await describe(), 'identityProviderConfig', 'oidc', 'status')
  const none = ['ResourceNotFoundException', 404, 'Identity provider config is not associated with cluster']
  assert.deepEqual(await describe(), none)
  assert.deepEqual(await associate({ issuerUrl: 'http://issuer.example.com' }), [
    'InvalidParameterException',
    400,
    'issuerUrl must begin with https://',
  ])
  const made = await associate()
  assert.deepEqual(
    [at(made, 'update', 'status'), at(made, 'update', 'type'), at(made, 'tags')],
    ['InProgress', 'AssociateIdentityProviderConfig', { k: 'v' }],
  )
  const second = ['ResourceInUseException', 409, 'Identity provider config is already associated with cluster']
  assert.deepEqual(await associate({ identityProviderConfigName: 'other' }), second)
  assert.deepEqual(await overAMinute(world, status), ['CREATING', 'CREATING', 'ACTIVE'])
  const { identityProviderConfigArn, ...rest } = at(await describe(), 'identityProviderConfig', 'oidc') as Record<string, unknown>
  assert.equal(identityProviderConfigArn, `arn:aws:eks:us-east-1:${account}:identityproviderconfig/c/oidc/idp/<uuid>`)
  assert.deepEqual(rest, { ...oidc, clusterName, tags: { k: 'v' }, status: 'ACTIVE' })
  const listed = async (): Promise<unknown> =>
    at(await eks('ListIdentityProviderConfigs', { clusterName }), 'identityProviderConfigs')
  assert.deepEqual(await listed(), [identityProviderConfig])
  const left = await eks('DisassociateIdentityProviderConfig', { clusterName, identityProviderConfig })
  assert.deepEqual(
    [at(left, 'update', 'status'), at(left, 'update', 'type')],
    ['InProgress', 'DisassociateIdentityProviderConfig'],
  )
  assert.deepEqual(await associate({ identityProviderConfigName: 'other' }), second)
  assert.deepEqual(await overAMinute(world, status), ['DELETING', 'DELETING', undefined])
  assert.deepEqual([await describe(), await listed()], [none, []])
  assert.equal(at(await associate(), 'update', 'status'), 'InProgress')
})

const user = `arn:aws:iam::${account}:user/ann`
const pathed = `arn:aws:iam::${account}:role/x/app`
const entries: readonly (readonly [principal: string, type: string | undefined, username: string])[] = [
  [user, undefined, user],
  [pathed, undefined, `arn:aws:sts::${account}:assumed-role/app/{{SessionName}}`],
  [pathed, 'STANDARD', `arn:aws:sts::${account}:assumed-role/app/{{SessionName}}`],
  [pathed, 'EC2_LINUX', 'system:node:{{EC2PrivateDNSName}}'],
  [pathed, 'EC2_WINDOWS', 'system:node:{{EC2PrivateDNSName}}'],
  [pathed, 'EC2', 'system:node:{{EC2PrivateDNSName}}'],
  [pathed, 'HYPERPOD_LINUX', 'system:node:{{EC2PrivateDNSName}}'],
  [pathed, 'FARGATE_LINUX', 'system:node:{{SessionName}}'],
  [pathed, 'HYBRID_LINUX', 'system:node:{{SessionName}}'],
]
for (const [principalArn, type, username] of entries) {
  test(`an access entry of ${principalArn}, type ${type ?? 'none given'}: ${username}`, async () => {
    const { eks } = await ready()
    const made = at(await eks('CreateAccessEntry', { clusterName, principalArn, type }), 'accessEntry')
    const name = principalArn.slice(principalArn.indexOf('/') + 1)
    const kind = principalArn.includes(':user/') ? 'user' : 'role'
    assert.deepEqual(made, {
      clusterName,
      principalArn,
      kubernetesGroups: [],
      accessEntryArn: `arn:aws:eks:us-east-1:${account}:access-entry/c/${kind}/${account}/${name}/<uuid>`,
      createdAt: '<date>',
      modifiedAt: '<date>',
      tags: {},
      type: type ?? 'STANDARD',
      username,
    })
  })
}

test('an access entry of another principal or type, with groups where there are none, or a second one is refused', async () => {
  const { eks } = await ready()
  const create = (more: object): Promise<unknown> => eks('CreateAccessEntry', { clusterName, principalArn: pathed, ...more })
  const refused = (message: string): readonly unknown[] => ['InvalidParameterException', 400, message]
  const form = refused('The principalArn parameter format is not valid')
  assert.deepEqual(await create({ principalArn: `arn:aws:iam::${account}:root` }), form)
  assert.deepEqual(await create({ principalArn: `arn:aws:iam::${account}:role/` }), form)
  assert.deepEqual(await create({ type: 'OTHER' }), refused('Invalid access entry type: OTHER'))
  const bare = refused('kubernetesGroups and username cannot be set for entries of type EC2')
  assert.deepEqual(await create({ type: 'EC2', kubernetesGroups: ['g'] }), bare)
  assert.deepEqual(await create({ type: 'EC2', username: 'u' }), bare)
  const token = { clientRequestToken: 't', kubernetesGroups: ['g'], username: 'u' }
  const made = await create(token)
  assert.deepEqual([at(made, 'accessEntry', 'kubernetesGroups'), at(made, 'accessEntry', 'username')], [['g'], 'u'])
  assert.deepEqual(await create(token), made)
  assert.deepEqual(await create({}), [
    'ResourceInUseException',
    409,
    'The specified access entry resource is already in use on this cluster.',
  ])
  assert.equal(at(await create({ principalArn: user, type: 'EC2', kubernetesGroups: [] }), 'accessEntry', 'type'), 'EC2')
})

const view = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy'
const edit = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy'

test('an access entry is changed in what is given, has policies, and goes', async () => {
  const { eks, clock } = await ready()
  const one = { clusterName, principalArn: pathed }
  const absent = [
    'ResourceNotFoundException',
    404,
    "The specified principalArn could not be found. You can view your available access entries with 'list-access-entries'.",
  ]
  assert.deepEqual(await eks('DescribeAccessEntry', one), absent)
  await eks('CreateAccessEntry', { ...one, kubernetesGroups: ['g'], username: 'u' })
  await eks('CreateAccessEntry', { clusterName, principalArn: user })
  const entry = async (): Promise<unknown> => {
    const answer = at(await eks('DescribeAccessEntry', one), 'accessEntry')
    return [at(answer, 'kubernetesGroups'), at(answer, 'username')]
  }
  await eks('UpdateAccessEntry', { ...one, username: 'v' })
  assert.deepEqual(await entry(), [['g'], 'v'])
  await eks('UpdateAccessEntry', { ...one, kubernetesGroups: [] })
  assert.deepEqual(await entry(), [[], 'v'])
  const associate = (policyArn: string, accessScope: object = { type: 'cluster' }): Promise<unknown> =>
    eks('AssociateAccessPolicy', { ...one, policyArn, accessScope })
  const wrong = ['InvalidParameterException', 400, 'The policyArn parameter format is not valid']
  assert.deepEqual(await associate('arn:aws:iam::aws:policy/AmazonEKSViewPolicy'), wrong)
  assert.deepEqual(await associate('arn:aws:eks::aws:cluster-access-policy/Other'), wrong)
  const scope = ['InvalidParameterException', 400, 'Namespaces must be given for a scope of type namespace']
  assert.deepEqual(
    [await associate(view, { type: 'namespace' }), await associate(view, { type: 'namespace', namespaces: [] })],
    [scope, scope],
  )
  assert.deepEqual(at(await associate(view, { type: 'namespace', namespaces: ['n'] }), 'associatedAccessPolicy', 'accessScope'), {
    type: 'namespace',
    namespaces: ['n'],
  })
  await associate(edit)
  await clock.advance(1_000)
  await associate(view)
  const policies = async (more: object = {}): Promise<unknown> => eks('ListAssociatedAccessPolicies', { ...one, ...more })
  assert.deepEqual(at(await policies(), 'associatedAccessPolicies'), [
    { policyArn: edit, accessScope: { type: 'cluster' }, associatedAt: '<date>', modifiedAt: '<date>' },
    { policyArn: view, accessScope: { type: 'cluster' }, associatedAt: '<date>', modifiedAt: '<date>' },
  ])
  const first = await policies({ maxResults: 1 })
  const second = await policies({ maxResults: 1, nextToken: at(first, 'nextToken') })
  assert.deepEqual(
    [each(first, 'associatedAccessPolicies', 'policyArn'), each(second, 'associatedAccessPolicies', 'policyArn')],
    [[edit], [view]],
  )
  const with_ = async (associatedPolicyArn?: string): Promise<unknown> =>
    at(await eks('ListAccessEntries', { clusterName, associatedPolicyArn }), 'accessEntries')
  assert.deepEqual([await with_(), await with_(view), await with_(`${view}x`)], [[pathed, user], [pathed], []])
  const dissociate = (policyArn: string): Promise<unknown> => eks('DisassociateAccessPolicy', { ...one, policyArn })
  assert.deepEqual(await dissociate(edit), {})
  assert.deepEqual(await dissociate(edit), ['ResourceNotFoundException', 404, `No associated policy found for ARN: ${edit}`])
  assert.deepEqual(each(await policies(), 'associatedAccessPolicies', 'policyArn'), [view])
  assert.deepEqual(await eks('DeleteAccessEntry', one), {})
  assert.deepEqual(await eks('DeleteAccessEntry', one), absent)
})

test('the access policies that there are come in pages', async () => {
  const { eks } = asked()
  const first = await eks('ListAccessPolicies', { maxResults: 3 })
  const second = await eks('ListAccessPolicies', { nextToken: at(first, 'nextToken') })
  assert.deepEqual(
    [each(first, 'accessPolicies', 'name'), each(second, 'accessPolicies', 'name'), at(second, 'nextToken')],
    [
      ['AmazonEKSAdminPolicy', 'AmazonEKSAdminViewPolicy', 'AmazonEKSClusterAdminPolicy'],
      ['AmazonEKSEditPolicy', 'AmazonEKSViewPolicy'],
      undefined,
    ],
  )
  assert.equal(at(first, 'accessPolicies', 0, 'arn'), 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy')
})

test('a cluster goes to the next version, one at a time, and does nothing else meanwhile', async () => {
  const world = asked({ knobs: { delays: { clusterReady: 60_000 } } })
  const { eks, clock } = world
  await roles(world)
  await eks('CreateCluster', { name: clusterName, roleArn, version: '1.31', resourcesVpcConfig: { subnetIds } })
  const update = (version: string): Promise<unknown> => eks('UpdateClusterVersion', { name: clusterName, version })
  assert.equal(at(await update('1.32'), 0), 'InvalidRequestException')
  await clock.advance(60_000)
  for (const version of ['1.33', '1.30', '2.32', '1.x'])
    assert.deepEqual(await update(version), [
      'InvalidParameterException',
      400,
      `Unsupported Kubernetes minor version update from 1.31 to ${version}`,
    ])
  assert.deepEqual(await update('1.31'), ['InvalidRequestException', 400, 'Cluster is already at the desired version: 1.31'])
  const made = at(await eks('UpdateClusterVersion', { name: clusterName, version: '1.32' }, 'up'), 'update')
  assert.deepEqual(made, {
    id: '<uuid>',
    status: 'InProgress',
    type: 'VersionUpdate',
    params: [{ type: 'Version', value: '1.32' }],
    createdAt: '<date>',
    errors: [],
  })
  assert.deepEqual(await update('1.33'), ['ResourceInUseException', 409, 'Cluster c has an update in progress'])
  const read = async (): Promise<unknown> => {
    const found = await eks('DescribeUpdate', { name: clusterName, updateId: { $ref: 'up.update.id' } })
    const cluster = at(await eks('DescribeCluster', { name: clusterName }), 'cluster')
    return [at(found, 'update', 'status'), at(cluster, 'status'), at(cluster, 'version')].join(' ')
  }
  assert.deepEqual(await overAMinute(world, read), [
    'InProgress UPDATING 1.32',
    'InProgress UPDATING 1.32',
    'Successful ACTIVE 1.32',
  ])
  assert.equal(at(await update('1.33'), 'update', 'status'), 'InProgress')
})

test('a change of the configuration keeps what it does not name, and names its kind by the first that is given', async () => {
  const { eks, clock } = await ready()
  const update = (input: object): Promise<unknown> => eks('UpdateClusterConfig', { name: clusterName, ...input })
  assert.deepEqual(await update({}), ['InvalidParameterException', 400, 'No changes were given for the cluster configuration'])
  assert.deepEqual(await update({ resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-1'] } }), [
    'InvalidParameterException',
    400,
    'Subnets specified must be in at least two different AZs',
  ])
  const vpc = await update({ resourcesVpcConfig: { endpointPrivateAccess: true }, deletionProtection: true })
  assert.deepEqual(
    [at(vpc, 'update', 'type'), at(vpc, 'update', 'params')],
    [
      'VpcConfigUpdate',
      [
        { type: 'EndpointPublicAccess', value: '{"endpointPrivateAccess":true}' },
        { type: 'DeletionProtection', value: 'true' },
      ],
    ],
  )
  const shown = at(await eks('DescribeCluster', { name: clusterName }), 'cluster')
  assert.deepEqual(
    ['subnetIds', 'endpointPrivateAccess', 'endpointPublicAccess'].map(name => at(shown, 'resourcesVpcConfig', name)),
    [subnetIds, true, true],
  )
  assert.equal(at(shown, 'deletionProtection'), true)
  assert.equal(at(await update({ deletionProtection: false }), 0), 'ResourceInUseException')
  await clock.advance(60_000)
  assert.deepEqual(await eks('DeleteCluster', { name: clusterName }), [
    'InvalidRequestException',
    400,
    'Cluster has deletion protection enabled',
  ])
  const logging = { clusterLogging: [{ types: ['api'], enabled: true }] }
  assert.equal(at(await update({ logging }), 'update', 'params', 0, 'type'), 'ClusterLogging')
  assert.deepEqual(at(await eks('DescribeCluster', { name: clusterName }), 'cluster', 'logging'), logging)
  await clock.advance(60_000)
  assert.equal(at(await update({ zonalShiftConfig: { enabled: true } }), 'update', 'params', 0, 'type'), 'ZonalShiftConfig')
})

test('updates are listed and found under the part that they are of', async () => {
  const { eks, clock } = await ready()
  await eks('CreateAddon', { clusterName, addonName: 'p' })
  await eks('UpdateAddon', { clusterName, addonName: 'p', addonVersion: 'v2' }, 'addon')
  await eks('UpdateClusterConfig', { name: clusterName, deletionProtection: false }, 'cluster')
  await clock.advance(60_000)
  await eks('UpdateClusterConfig', { name: clusterName, deletionProtection: true })
  const count = async (more: object = {}): Promise<number> =>
    (at(await eks('ListUpdates', { name: clusterName, ...more }), 'updateIds') as unknown[]).length
  assert.deepEqual([await count(), await count({ addonName: 'p' }), await count({ nodegroupName: 'p' })], [2, 1, 0])
  const describe = async (saved: string, more: object = {}): Promise<unknown> => {
    const answer = await eks('DescribeUpdate', { name: clusterName, updateId: { $ref: `${saved}.update.id` }, ...more })
    return at(answer, 'update', 'type') ?? at(answer, 0)
  }
  assert.deepEqual(
    [
      await describe('addon', { addonName: 'p' }),
      await describe('addon'),
      await describe('cluster'),
      await describe('cluster', { addonName: 'p' }),
    ],
    ['AddonUpdate', 'ResourceNotFoundException', 'DeletionProtectionUpdate', 'ResourceNotFoundException'],
  )
  assert.deepEqual(await eks('DescribeUpdate', { name: clusterName, updateId: 'none' }), [
    'ResourceNotFoundException',
    404,
    'No update found for ID: none',
  ])
  const first = await eks('ListUpdates', { name: clusterName, maxResults: 1 })
  const second = await eks('ListUpdates', { name: clusterName, maxResults: 1, nextToken: at(first, 'nextToken') })
  assert.deepEqual([at(first, 'nextToken') === undefined, at(second, 'nextToken')], [false, undefined])
})

test('clusters are made up to the quota and of a version that is served, with a role that is there', async () => {
  const world = asked({ knobs: { quotas: { clusters: 2 } } })
  const { eks } = world
  await roles(world)
  const create = (name: string, more: object = {}): Promise<unknown> =>
    eks('CreateCluster', { name, roleArn, resourcesVpcConfig: { subnetIds }, ...more })
  assert.deepEqual(await create('a', { version: '1.10' }), [
    'InvalidParameterException',
    400,
    'unsupported Kubernetes version 1.10',
  ])
  assert.deepEqual(await create('a', { roleArn: `${roleArn}x` }), [
    'InvalidParameterException',
    400,
    `Role with arn: ${roleArn}x, could not be assumed because it does not exist or the trusted entity is not correct`,
  ])
  const token = { clientRequestToken: 't' }
  assert.equal(at(await create('a', token), 'cluster', 'status'), 'CREATING')
  assert.equal(at(await create('a', token), 'cluster', 'status'), 'ACTIVE')
  assert.deepEqual(await create('a'), ['ResourceInUseException', 409, 'Cluster already exists with name: a'])
  await create('b')
  assert.deepEqual(await create('c'), ['ResourceLimitExceededException', 400, 'Cluster limit exceeded: 2'])
  assert.deepEqual(at(await eks('ListClusters', {}), 'clusters'), ['a', 'b'])
  const first = await eks('ListClusters', { maxResults: 1 })
  assert.deepEqual(at(await eks('ListClusters', { nextToken: at(first, 'nextToken') }), 'clusters'), ['b'])
  assert.deepEqual(await eks('ListClusters', { nextToken: 'x' }), ['InvalidParameterException', 400, 'Invalid nextToken'])
})

test('a cluster takes what is in it along, and can be made again when it is gone', async () => {
  const world = await ready()
  const { eks } = world
  await eks('CreateNodegroup', { clusterName, nodegroupName: 'p', nodeRole: roleArn, subnets: ['subnet-1'] })
  await eks('CreateAddon', { clusterName, addonName: 'p' })
  await eks('CreateAccessEntry', { clusterName, principalArn: user })
  await eks('AssociateIdentityProviderConfig', { clusterName, oidc })
  await eks('CreatePodIdentityAssociation', { clusterName, namespace: 'n', serviceAccount: 's', roleArn: podRoleArn })
  const remove = (): Promise<unknown> => eks('DeleteCluster', { name: clusterName })
  assert.deepEqual(await remove(), ['ResourceInUseException', 409, 'Cluster has nodegroups attached'])
  await eks('DeleteNodegroup', { clusterName, nodegroupName: 'p' })
  assert.deepEqual(await remove(), ['ResourceInUseException', 409, 'Cluster has nodegroups attached'])
  await world.clock.advance(60_000)
  assert.deepEqual([at(await remove(), 'cluster', 'status'), at(await remove(), 'cluster', 'status')], ['DELETING', 'DELETING'])
  const lists = async (): Promise<unknown> => [
    at(await eks('ListAddons', { clusterName }), 'addons'),
    at(await eks('ListAccessEntries', { clusterName }), 'accessEntries'),
    at(await eks('ListIdentityProviderConfigs', { clusterName }), 'identityProviderConfigs'),
    at(await eks('ListPodIdentityAssociations', { clusterName }), 'associations'),
  ]
  assert.deepEqual(await lists(), [[], [], [], []])
  const status = async (): Promise<unknown> => at(await eks('DescribeCluster', { name: clusterName }), 'cluster', 'status')
  assert.deepEqual(await overAMinute(world, status), ['DELETING', 'DELETING', undefined])
  assert.deepEqual(await eks('DescribeCluster', { name: clusterName }), [
    'ResourceNotFoundException',
    404,
    'No cluster found for name: c.',
  ])
  assert.deepEqual(at(await eks('ListClusters', {}), 'clusters'), [])
  const again = await eks('CreateCluster', { name: clusterName, roleArn, resourcesVpcConfig: { subnetIds } })
  assert.equal(at(again, 'cluster', 'status'), 'CREATING')
})

async function associated(): Promise<{ readonly world: Asked; readonly associate: Ask }> {
  const world = await ready()
  const associate: Ask = (serviceAccount, more = {}) =>
    world.eks('CreatePodIdentityAssociation', { clusterName, namespace: 'n', serviceAccount, roleArn: podRoleArn, ...more })
  return { world, associate }
}

for (const [field, value, taken] of [
  ['namespace', 'n', true],
  ['namespace', 'a'.repeat(63), true],
  ['namespace', 'a'.repeat(64), false],
  ['namespace', 'Team', false],
  ['namespace', 'n-', false],
  ['namespace', 'a.b', false],
  ['serviceAccount', 'a.b-c', true],
  ['serviceAccount', 'a'.repeat(253), true],
  ['serviceAccount', 'a'.repeat(254), false],
  ['serviceAccount', '-a', false],
] as const) {
  test(`an association with the ${field} ${value.length > 60 ? `of ${value.length} characters` : value}: ${taken ? 'taken' : 'refused'}`, async () => {
    const { associate } = await associated()
    const answer = await associate('s', { [field]: value })
    const word = field === 'namespace' ? 'namespace' : 'service account'
    if (taken) assert.equal(at(answer, 'association', field), value)
    else assert.deepEqual(answer, ['InvalidParameterException', 400, `Invalid ${word}: ${value}`])
  })
}

test('what limits an association is a policy document without session tags, and its target is a role', async () => {
  const { world, associate } = await associated()
  const refused = (message: string): readonly unknown[] => ['InvalidParameterException', 400, message]
  const policy = '{"Statement":[]}'
  assert.deepEqual(await associate('s', { policy }), refused('A policy can only be specified when session tags are disabled'))
  for (const text of ['x', 'null', '1', '{}'])
    assert.deepEqual(
      await associate('s', { policy: text, disableSessionTags: true }),
      refused('The policy is not a valid JSON policy document'),
      text,
    )
  assert.deepEqual(await associate('s', { targetRoleArn: user }), refused(`Invalid target role ARN: ${user}`))
  const made = at(
    await world.eks(
      'CreatePodIdentityAssociation',
      {
        clusterName,
        namespace: 'n',
        serviceAccount: 's',
        roleArn: podRoleArn,
        policy,
        disableSessionTags: true,
        targetRoleArn: pathed,
      },
      'made',
    ),
    'association',
  )
  assert.deepEqual([at(made, 'policy'), at(made, 'targetRoleArn'), at(made, 'externalId')], [policy, pathed, '<uuid>'])
  const associationId = { $ref: 'made.association.associationId' }
  const update = async (more: object): Promise<unknown> => {
    const answer = await world.eks('UpdatePodIdentityAssociation', { clusterName, associationId, ...more })
    const found = at(answer, 'association')
    if (found === undefined) return answer
    return ['policy', 'targetRoleArn', 'externalId', 'disableSessionTags'].map(name => at(found, name))
  }
  assert.deepEqual(
    await update({ disableSessionTags: false }),
    refused('A policy can only be specified when session tags are disabled'),
  )
  assert.deepEqual(await update({ policy: '', disableSessionTags: false }), [undefined, pathed, '<uuid>', false])
  assert.deepEqual(await update({ targetRoleArn: '' }), [undefined, undefined, '<uuid>', false])
  assert.deepEqual(await update({ roleArn: `${podRoleArn}x` }), refused('Role provided in the request does not exist.'))
})

test('associations are made up to the quota of a cluster', async () => {
  const world = asked({ knobs: { quotas: { associationsPerCluster: 1 } } })
  await roles(world)
  await world.eks('CreateCluster', { name: clusterName, roleArn, resourcesVpcConfig: { subnetIds } })
  const associate = (serviceAccount: string): Promise<unknown> =>
    world.eks('CreatePodIdentityAssociation', { clusterName, namespace: 'n', serviceAccount, roleArn: podRoleArn })
  assert.equal(at(await associate('a'), 'association', 'serviceAccount'), 'a')
  assert.deepEqual(await associate('b'), [
    'ResourceLimitExceededException',
    400,
    'Pod identity association limit exceeded: 1 per cluster',
  ])
})

test('a change is told as in progress, even where it takes no time and is done at the next look', async () => {
  const world = asked()
  const { eks } = world
  await roles(world)
  await eks('CreateCluster', { name: clusterName, roleArn, version: '1.33', resourcesVpcConfig: { subnetIds } })
  await eks('CreateAddon', { clusterName, addonName: 'p' })
  const changes: readonly (readonly [operation: string, input: object, more: object])[] = [
    ['UpdateClusterVersion', { name: clusterName, version: '1.34' }, {}],
    ['UpdateClusterConfig', { name: clusterName, deletionProtection: false }, {}],
    ['UpdateAddon', { clusterName, addonName: 'p' }, { addonName: 'p' }],
    ['AssociateIdentityProviderConfig', { clusterName, oidc }, {}],
    ['DisassociateIdentityProviderConfig', { clusterName, identityProviderConfig }, {}],
  ]
  for (const [operation, input, more] of changes) {
    assert.equal(at(await eks(operation, input, operation), 'update', 'status'), 'InProgress', operation)
    const found = await eks('DescribeUpdate', { name: clusterName, updateId: { $ref: `${operation}.update.id` }, ...more })
    assert.equal(at(found, 'update', 'status'), 'Successful', operation)
  }
})

test('everything in a cluster has tags by its ARN', async () => {
  const { eks } = await ready()
  const tags = { k: 'v' }
  await eks('CreateAddon', { clusterName, addonName: 'p', tags }, 'addon')
  await eks('CreateNodegroup', { clusterName, nodegroupName: 'p', nodeRole: roleArn, subnets: ['subnet-1'], tags }, 'nodegroup')
  await eks('CreateAccessEntry', { clusterName, principalArn: user, tags }, 'accessEntry')
  await eks(
    'CreatePodIdentityAssociation',
    { clusterName, namespace: 'n', serviceAccount: 's', roleArn: podRoleArn, tags },
    'association',
  )
  for (const [made, arn] of [
    ['addon', 'addonArn'],
    ['nodegroup', 'nodegroupArn'],
    ['accessEntry', 'accessEntryArn'],
    ['association', 'associationArn'],
  ] as const) {
    const one = { resourceArn: { $ref: `${made}.${made}.${arn}` } }
    const found = async (): Promise<unknown> => at(await eks('ListTagsForResource', one), 'tags')
    assert.deepEqual(await found(), tags, made)
    assert.deepEqual(await eks('TagResource', { ...one, tags: { l: 'w', k: 'x' } }), {})
    assert.deepEqual(await found(), { k: 'x', l: 'w' }, made)
    assert.deepEqual(await eks('UntagResource', { ...one, tagKeys: ['k'] }), {})
    assert.deepEqual(await found(), { l: 'w' }, made)
  }
  for (const rest of [
    'addon/c/p/none',
    'nodegroup/c/p/none',
    'access-entry/c/none',
    'cluster/c/more',
    'podidentityassociation/c/none',
    'other/c/x',
  ]) {
    const missing = await eks('ListTagsForResource', { resourceArn: `arn:aws:eks:us-east-1:${account}:${rest}` })
    assert.equal(at(missing, 0), 'NotFoundException', rest)
  }
  for (const place of [`eu-west-1:${account}`, 'us-east-1:210987654321'])
    assert.equal(
      at(await eks('ListTagsForResource', { resourceArn: `arn:aws:eks:${place}:cluster/c` }), 0),
      'NotFoundException',
      place,
    )
})

test('a list has from one to a hundred entries', async () => {
  const { eks } = asked()
  for (const maxResults of [1, 100]) assert.deepEqual(at(await eks('ListClusters', { maxResults }), 'clusters'), [])
  for (const maxResults of [0, 101]) assert.equal(at(await eks('ListClusters', { maxResults }), 0), 'InvalidParameterException')
})
