import { containing, type KindCase, type Probe } from '../case.ts'

const password = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'first' },
  type: 'Opaque',
  data: { value: Buffer.from('longer-than-eight').toString('base64') },
}
const masterUserPassword = { namespace: 'default', name: 'first', key: 'value' }
const arn = '{status.ackResourceMetadata.arn}'
const tags = (says: object = { Key: 'team', Value: 'red' }): Probe => ({
  operation: 'ListTagsForResource',
  input: { ResourceName: arn },
  says: { TagList: containing(says) },
})
const retagged = {
  name: 'tags',
  spec: { tags: [{ key: 'team', value: 'red' }] },
  probe: tags(),
  drift: { operation: 'RemoveTagsFromResource', input: { ResourceName: arn, TagKeys: ['team'] } },
}
const instance = (says: object): Probe => ({
  operation: 'DescribeDBInstances',
  input: { DBInstanceIdentifier: 'main' },
  says: { DBInstances: [says] },
})
const makeCluster = [
  'rds',
  'CreateDBCluster',
  { DBClusterIdentifier: 'many', Engine: 'aurora-mysql', MasterUsername: 'app', MasterUserPassword: 'longer-than-eight' },
] as const
const makeInstance = [
  'rds',
  'CreateDBInstance',
  {
    DBInstanceIdentifier: 'main',
    DBInstanceClass: 'db.t3.micro',
    Engine: 'postgres',
    AllocatedStorage: 20,
    MasterUsername: 'app',
    MasterUserPassword: 'longer-than-eight',
  },
] as const
const subnets: NonNullable<KindCase['needs']> = [
  ['ec2', 'CreateVpc', { CidrBlock: '10.0.0.0/16' }],
  ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.1.0/24' }],
  ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.2.0/24' }],
]

const cluster = (says: object): Probe => ({
  operation: 'DescribeDBClusters',
  input: { DBClusterIdentifier: 'many' },
  says: { DBClusters: [says] },
})

export const databaseCases: readonly KindCase[] = [
  {
    service: 'rds',
    kind: 'DBInstance',
    objects: [password],
    spec: {
      dbInstanceIdentifier: 'main',
      dbInstanceClass: 'db.t3.micro',
      engine: 'postgres',
      allocatedStorage: 20,
      masterUsername: 'app',
      masterUserPassword,
    },
    made: instance({ DBInstanceIdentifier: 'main', AllocatedStorage: 20 }),
    changes: [
      {
        name: 'allocatedStorage',
        spec: { allocatedStorage: 30 },
        probe: instance({ AllocatedStorage: 30 }),
        drift: { operation: 'ModifyDBInstance', input: { DBInstanceIdentifier: 'main', AllocatedStorage: 40 } },
      },
      { name: 'dbInstanceClass', spec: { dbInstanceClass: 'db.t3.small' }, probe: instance({ DBInstanceClass: 'db.t3.small' }) },
      { name: 'backupRetentionPeriod', spec: { backupRetentionPeriod: 3 }, probe: instance({ BackupRetentionPeriod: 3 }) },
      retagged,
    ],
    gone: { operation: 'DescribeDBInstances', input: { DBInstanceIdentifier: 'main' }, says: { error: /DBInstanceNotFound/ } },
  },
  {
    service: 'rds',
    kind: 'DBSnapshot',
    needs: [makeInstance],
    spec: { dbSnapshotIdentifier: 'kept', dbInstanceIdentifier: 'main' },
    made: {
      operation: 'DescribeDBSnapshots',
      input: { DBSnapshotIdentifier: 'kept' },
      says: { DBSnapshots: [{ DBSnapshotIdentifier: 'kept' }] },
    },
    changes: [retagged],
    gone: { operation: 'DescribeDBSnapshots', input: { DBSnapshotIdentifier: 'kept' }, says: { error: /DBSnapshotNotFound/ } },
  },
  {
    service: 'rds',
    kind: 'DBClusterSnapshot',
    needs: [makeCluster],
    spec: { dbClusterSnapshotIdentifier: 'kept', dbClusterIdentifier: 'many' },
    made: {
      operation: 'DescribeDBClusterSnapshots',
      input: { DBClusterSnapshotIdentifier: 'kept' },
      says: { DBClusterSnapshots: [{ DBClusterSnapshotIdentifier: 'kept' }] },
    },
    changes: [retagged],
    gone: {
      operation: 'DescribeDBClusterSnapshots',
      input: { DBClusterSnapshotIdentifier: 'kept' },
      says: { error: /DBClusterSnapshotNotFound/ },
    },
  },
  {
    service: 'rds',
    kind: 'DBSubnetGroup',
    needs: subnets,
    spec: {
      name: 'inside',
      description: 'one',
      subnetIDs: ['{needed.1.Subnet.SubnetId}', '{needed.2.Subnet.SubnetId}'],
    },
    made: {
      operation: 'DescribeDBSubnetGroups',
      input: { DBSubnetGroupName: 'inside' },
      says: { DBSubnetGroups: [{ DBSubnetGroupDescription: 'one' }] },
    },
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: {
          operation: 'DescribeDBSubnetGroups',
          input: { DBSubnetGroupName: 'inside' },
          says: { DBSubnetGroups: [{ DBSubnetGroupDescription: 'two' }] },
        },
      },
      retagged,
    ],
    gone: {
      operation: 'DescribeDBSubnetGroups',
      input: { DBSubnetGroupName: 'inside' },
      says: { error: /DBSubnetGroupNotFound/ },
    },
  },
  {
    service: 'rds',
    kind: 'DBParameterGroup',
    cannot: { delete: 'moto answers with an empty list where AWS says that it is not there' },
    spec: { name: 'tuned', description: 'one', family: 'postgres16', parameterOverrides: { work_mem: '4096' } },
    made: {
      operation: 'DescribeDBParameters',
      input: { DBParameterGroupName: 'tuned' },
      says: { Parameters: containing({ ParameterName: 'work_mem', ParameterValue: '4096' }) },
    },
    changes: [
      {
        name: 'parameterOverrides',
        spec: { parameterOverrides: { work_mem: '8192' } },
        probe: {
          operation: 'DescribeDBParameters',
          input: { DBParameterGroupName: 'tuned' },
          says: { Parameters: containing({ ParameterName: 'work_mem', ParameterValue: '8192' }) },
        },
        drift: {
          operation: 'ModifyDBParameterGroup',
          input: {
            DBParameterGroupName: 'tuned',
            Parameters: [{ ParameterName: 'work_mem', ParameterValue: '1', ApplyMethod: 'pending-reboot' }],
          },
        },
      },
      retagged,
    ],
    gone: {
      operation: 'DescribeDBParameterGroups',
      input: { DBParameterGroupName: 'tuned' },
      says: { error: /DBParameterGroupNotFound/ },
    },
  },
  {
    service: 'rds',
    kind: 'DBClusterParameterGroup',
    spec: {
      name: 'tuned',
      description: 'one',
      family: 'aurora-mysql8.0',
      parameterOverrides: { time_zone: 'UTC' },
    },
    made: {
      operation: 'DescribeDBClusterParameters',
      input: { DBClusterParameterGroupName: 'tuned' },
      says: { Parameters: containing({ ParameterName: 'time_zone', ParameterValue: 'UTC' }) },
    },
    changes: [
      {
        name: 'parameterOverrides',
        spec: { parameterOverrides: { time_zone: 'Asia/Tokyo' } },
        probe: {
          operation: 'DescribeDBClusterParameters',
          input: { DBClusterParameterGroupName: 'tuned' },
          says: { Parameters: containing({ ParameterName: 'time_zone', ParameterValue: 'Asia/Tokyo' }) },
        },
        drift: {
          operation: 'ModifyDBClusterParameterGroup',
          input: {
            DBClusterParameterGroupName: 'tuned',
            Parameters: [{ ParameterName: 'time_zone', ParameterValue: 'SYSTEM', ApplyMethod: 'pending-reboot' }],
          },
        },
      },
      retagged,
    ],
    gone: {
      operation: 'DescribeDBClusterParameterGroups',
      input: { DBClusterParameterGroupName: 'tuned' },
      says: { error: /DBParameterGroupNotFound|NotFound/ },
    },
  },
  {
    service: 'rds',
    kind: 'GlobalCluster',
    cannot: { create: 'moto takes no tags of a global cluster', delete: 'of what was not made' },
    spec: { globalClusterIdentifier: 'world', engine: 'aurora-mysql' },
    made: {
      operation: 'DescribeGlobalClusters',
      input: { GlobalClusterIdentifier: 'world' },
      says: { GlobalClusters: [{ GlobalClusterIdentifier: 'world' }] },
    },
    gone: { operation: 'DescribeGlobalClusters', input: {}, says: { GlobalClusters: [] } },
  },
  {
    service: 'rds',
    kind: 'DBCluster',
    objects: [password],
    spec: {
      dbClusterIdentifier: 'many',
      engine: 'aurora-mysql',
      masterUsername: 'app',
      masterUserPassword,
      backupRetentionPeriod: 2,
    },
    made: cluster({ DBClusterIdentifier: 'many', BackupRetentionPeriod: 2 }),
    changes: [
      {
        name: 'backupRetentionPeriod',
        spec: { backupRetentionPeriod: 4 },
        probe: cluster({ BackupRetentionPeriod: 4 }),
        drift: { operation: 'ModifyDBCluster', input: { DBClusterIdentifier: 'many', BackupRetentionPeriod: 9 } },
      },
      { name: 'deletionProtection', spec: { deletionProtection: true }, probe: cluster({ DeletionProtection: true }) },
      {
        name: 'deletionProtection again',
        spec: { deletionProtection: false },
        probe: cluster({ DeletionProtection: false }),
      },
      { name: 'port', spec: { port: 3307 }, probe: cluster({ Port: 3307 }) },
      retagged,
    ],
    gone: { operation: 'DescribeDBClusters', input: { DBClusterIdentifier: 'many' }, says: { error: /DBClusterNotFound/ } },
  },
  {
    service: 'rds',
    kind: 'DBProxy',
    cannot: { restart: 'moto changes no proxy, and fails where it is asked to' },
    needs: [
      ...subnets,
      ['iam', 'CreateRole', { RoleName: 'asks', AssumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[]}' }],
    ],
    spec: {
      name: 'door',
      engineFamily: 'MYSQL',
      auth: [{ authScheme: 'SECRETS', secretARN: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:a-AbCdEf' }],
      roleARN: 'arn:aws:iam::123456789012:role/asks',
      vpcSubnetIDs: ['{needed.1.Subnet.SubnetId}', '{needed.2.Subnet.SubnetId}'],
    },
    made: {
      operation: 'DescribeDBProxies',
      input: { DBProxyName: 'door' },
      says: { DBProxies: [{ DBProxyName: 'door', EngineFamily: 'MYSQL' }] },
    },
    changes: [retagged],
    gone: { operation: 'DescribeDBProxies', input: { DBProxyName: 'door' }, says: { error: /DBProxyNotFound/ } },
  },
]
