import { containing, type KindCase } from '../case.ts'

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
    cannot: { adoption: 'AWS tells no authenticationMode, and the CRD asks for it', delete: 'of what was not adopted' },
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
]
