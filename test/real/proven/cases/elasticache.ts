import type { KindCase } from '../case.ts'

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
]
