import { containing, type KindCase, type Probe } from '../case.ts'

const subnets: NonNullable<KindCase['needs']> = [
  ['ec2', 'CreateVpc', { CidrBlock: '10.0.0.0/16' }],
  ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.1.0/24' }],
]
const password = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'first' },
  type: 'Opaque',
  data: { value: Buffer.from('longer-than-sixteen-signs').toString('base64') },
}

const arn = '{status.ackResourceMetadata.arn}'
const retagged = {
  name: 'tags',
  spec: { tags: [{ key: 'team', value: 'red' }] },
  probe: {
    operation: 'ListTagsForResource',
    input: { ResourceName: arn },
    says: { TagList: containing({ Key: 'team', Value: 'red' }) },
  },
}
const group = (says: object): Probe => ({
  operation: 'DescribeReplicationGroups',
  input: { ReplicationGroupId: 'many' },
  says: { ReplicationGroups: [says] },
})

export const cacheCases: readonly KindCase[] = [
  {
    service: 'elasticache',
    kind: 'CacheSubnetGroup',
    needs: subnets,
    cannot: { delete: 'moto has no such operation' },
    spec: { cacheSubnetGroupName: 'inside', cacheSubnetGroupDescription: 'one', subnetIDs: ['{needed.1.Subnet.SubnetId}'] },
    made: {
      operation: 'DescribeCacheSubnetGroups',
      input: { CacheSubnetGroupName: 'inside' },
      says: { CacheSubnetGroups: [{ CacheSubnetGroupDescription: 'one' }] },
    },
    gone: {
      operation: 'DescribeCacheSubnetGroups',
      input: { CacheSubnetGroupName: 'inside' },
      says: { error: /CacheSubnetGroupNotFound/ },
    },
  },
  {
    service: 'elasticache',
    kind: 'Snapshot',
    needs: [
      [
        'elasticache',
        'CreateCacheCluster',
        { CacheClusterId: 'quick', CacheNodeType: 'cache.t3.micro', Engine: 'redis', NumCacheNodes: 1 },
      ],
    ],
    spec: { snapshotName: 'kept', cacheClusterID: 'quick' },
    made: { operation: 'DescribeSnapshots', input: { SnapshotName: 'kept' }, says: { Snapshots: [{ SnapshotName: 'kept' }] } },
    gone: { operation: 'DescribeSnapshots', input: { SnapshotName: 'kept' }, says: { error: /SnapshotNotFound/ } },
  },
  {
    service: 'elasticache',
    kind: 'User',
    objects: [password],
    spec: {
      userID: 'app',
      userName: 'app',
      engine: 'redis',
      accessString: 'on ~* +@all',
      passwords: [{ namespace: 'default', name: 'first', key: 'value' }],
    },
    made: { operation: 'DescribeUsers', input: { UserId: 'app' }, says: { Users: [{ UserId: 'app' }] } },
    gone: { operation: 'DescribeUsers', input: { UserId: 'app' }, says: { error: /UserNotFound/ } },
  },
  {
    service: 'elasticache',
    kind: 'CacheCluster',
    cannot: { create: 'moto tells no PreferredAvailabilityZone', delete: 'moto goes on telling of a cluster that it deletes' },
    spec: { cacheClusterID: 'quick', cacheNodeType: 'cache.t3.micro', engine: 'redis', numCacheNodes: 1 },
    made: {
      operation: 'DescribeCacheClusters',
      input: { CacheClusterId: 'quick' },
      says: { CacheClusters: [{ CacheClusterId: 'quick', CacheNodeType: 'cache.t3.micro' }] },
    },
    changes: [retagged],
    gone: { operation: 'DescribeCacheClusters', input: { CacheClusterId: 'quick' }, says: { error: /CacheClusterNotFound/ } },
  },
  {
    service: 'elasticache',
    kind: 'ReplicationGroup',
    cannot: { delete: 'moto goes on telling of a group that it deletes' },
    spec: {
      replicationGroupID: 'many',
      description: 'one',
      cacheNodeType: 'cache.t3.micro',
      engine: 'redis',
      numNodeGroups: 1,
      replicasPerNodeGroup: 1,
    },
    made: group({ Description: 'one' }),
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: group({ Description: 'two' }),
        drift: {
          operation: 'ModifyReplicationGroup',
          input: { ReplicationGroupId: 'many', ReplicationGroupDescription: 'strange' },
        },
      },
      { name: 'cacheNodeType', spec: { cacheNodeType: 'cache.t3.small' }, probe: group({ CacheNodeType: 'cache.t3.small' }) },
      { name: 'snapshotRetentionLimit', spec: { snapshotRetentionLimit: 2 }, probe: group({ SnapshotRetentionLimit: 2 }) },
      retagged,
    ],
    gone: {
      operation: 'DescribeReplicationGroups',
      input: { ReplicationGroupId: 'many' },
      says: { error: /ReplicationGroupNotFound/ },
    },
  },
]
