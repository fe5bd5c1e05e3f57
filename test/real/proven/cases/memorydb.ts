import { containing, type KindCase, type Probe } from '../case.ts'

const arn = '{status.ackResourceMetadata.arn}'
const retagged = {
  name: 'tags',
  spec: { tags: [{ key: 'team', value: 'red' }] },
  probe: { operation: 'ListTags', input: { ResourceArn: arn }, says: { TagList: containing({ Key: 'team', Value: 'red' }) } },
}
const password = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'first' },
  type: 'Opaque',
  data: { value: Buffer.from('longer-than-sixteen-signs').toString('base64') },
}

const cluster = (says: object): Probe => ({
  operation: 'DescribeClusters',
  input: { ClusterName: 'quick' },
  says: { Clusters: [says] },
})

export const memoryCases: readonly KindCase[] = [
  {
    service: 'memorydb',
    kind: 'Snapshot',
    needs: [['memorydb', 'CreateCluster', { ClusterName: 'quick', NodeType: 'db.t4g.small', ACLName: 'open-access' }]],
    spec: { name: 'kept', clusterName: 'quick' },
    made: { operation: 'DescribeSnapshots', input: { SnapshotName: 'kept' }, says: { Snapshots: [{ Name: 'kept' }] } },
    changes: [retagged],
    gone: { operation: 'DescribeSnapshots', input: { SnapshotName: 'kept' }, says: { error: /SnapshotNotFound/ } },
  },
  {
    service: 'memorydb',
    kind: 'User',
    objects: [password],
    spec: {
      name: 'app',
      accessString: 'on ~* &* +@all',
      authenticationMode: { type: 'password', passwords: [{ namespace: 'default', name: 'first', key: 'value' }] },
    },
    made: { operation: 'DescribeUsers', input: { UserName: 'app' }, says: { Users: [{ Name: 'app' }] } },
    changes: [
      {
        name: 'accessString',
        spec: { accessString: 'on ~app* &* +@read' },
        probe: {
          operation: 'DescribeUsers',
          input: { UserName: 'app' },
          says: { Users: [{ AccessString: 'on ~app* &* +@read' }] },
        },
      },
    ],
    gone: { operation: 'DescribeUsers', input: { UserName: 'app' }, says: { error: /UserNotFound/ } },
  },
  {
    service: 'memorydb',
    kind: 'Cluster',
    spec: { name: 'quick', nodeType: 'db.t4g.small', aclName: 'open-access', description: 'one' },
    made: cluster({ Description: 'one' }),
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: cluster({ Description: 'two' }),
        drift: { operation: 'UpdateCluster', input: { ClusterName: 'quick', Description: 'strange' } },
      },
      { name: 'nodeType', spec: { nodeType: 'db.t4g.medium' }, probe: cluster({ NodeType: 'db.t4g.medium' }) },
      { name: 'snapshotRetentionLimit', spec: { snapshotRetentionLimit: 2 }, probe: cluster({ SnapshotRetentionLimit: 2 }) },
      retagged,
    ],
    gone: { operation: 'DescribeClusters', input: { ClusterName: 'quick' }, says: { error: /ClusterNotFound/ } },
  },
  {
    service: 'memorydb',
    kind: 'SubnetGroup',
    needs: [
      ['ec2', 'CreateVpc', { CidrBlock: '10.0.0.0/16' }],
      ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.1.0/24' }],
    ],
    spec: { name: 'inside', description: 'one', subnetIDs: ['{needed.1.Subnet.SubnetId}'] },
    made: {
      operation: 'DescribeSubnetGroups',
      input: { SubnetGroupName: 'inside' },
      says: { SubnetGroups: [{ Name: 'inside', Description: 'one' }] },
    },
    changes: [retagged],
    gone: { operation: 'DescribeSubnetGroups', input: { SubnetGroupName: 'inside' }, says: { error: /SubnetGroupNotFound/ } },
  },
]
