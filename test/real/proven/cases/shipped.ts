import { containing, type KindCase, type Probe } from '../case.ts'

const team = { team: 'red' }
const bucket = 'proven-kinds-bucket'
const ofBucket = (operation: string, says: object): Probe => ({ operation, input: { Bucket: bucket }, says })
const cluster = (says: object): Probe => ({ operation: 'DescribeCluster', input: { name: 'prod' }, says })
const zone = (says: object): Probe => ({ operation: 'GetHostedZone', input: { Id: '{status.id}' }, says })
const check = (says: object): Probe => ({ operation: 'GetHealthCheck', input: { HealthCheckId: '{status.id}' }, says })
const certificate = (says: object): Probe => ({
  operation: 'DescribeCertificate',
  input: { CertificateArn: '{status.ackResourceMetadata.arn}' },
  says,
})
const makeCluster = [
  'eks',
  'CreateCluster',
  {
    name: 'prod',
    roleArn: 'arn:aws:iam::123456789012:role/eks',
    resourcesVpcConfig: { subnetIds: ['{needed.1.Subnet.SubnetId}', '{needed.2.Subnet.SubnetId}'] },
  },
] as const
const subnets: NonNullable<KindCase['needs']> = [
  ['ec2', 'CreateVpc', { CidrBlock: '10.0.0.0/16' }],
  ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.1.0/24' }],
  ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.2.0/24' }],
]
const subnetIDs = ['{needed.1.Subnet.SubnetId}', '{needed.2.Subnet.SubnetId}']
const absent = { error: /NotFound|NoSuch/ }

export const shippedCases: readonly KindCase[] = [
  {
    service: 's3',
    kind: 'Bucket',
    spec: { name: bucket },
    made: ofBucket('GetBucketLocation', {}),
    changes: [
      {
        name: 'versioning',
        spec: { versioning: { status: 'Enabled' } },
        probe: ofBucket('GetBucketVersioning', { Status: 'Enabled' }),
        drift: {
          operation: 'PutBucketVersioning',
          input: { Bucket: bucket, VersioningConfiguration: { Status: 'Suspended' } },
        },
      },
      {
        name: 'tagging',
        spec: { tagging: { tagSet: [{ key: 'team', value: 'red' }] } },
        probe: ofBucket('GetBucketTagging', { TagSet: containing({ Key: 'team', Value: 'red' }) }),
        drift: { operation: 'DeleteBucketTagging', input: { Bucket: bucket } },
      },
      {
        name: 'policy',
        spec: {
          policy: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${bucket}/*` }],
          }),
        },
        probe: ofBucket('GetBucketPolicy', { Policy: { Version: '2012-10-17' } }),
        drift: { operation: 'DeleteBucketPolicy', input: { Bucket: bucket } },
      },
      {
        name: 'cors',
        spec: { cors: { corsRules: [{ allowedMethods: ['GET'], allowedOrigins: ['https://a.example'] }] } },
        probe: ofBucket('GetBucketCors', { CORSRules: [{ AllowedOrigins: ['https://a.example'] }] }),
        drift: { operation: 'DeleteBucketCors', input: { Bucket: bucket } },
      },
      {
        name: 'cors taken out',
        spec: { cors: null },
        probe: ofBucket('GetBucketCors', { error: 'NoSuchCORSConfiguration' }),
      },
      {
        name: 'publicAccessBlock',
        spec: {
          publicAccessBlock: {
            blockPublicACLs: true,
            blockPublicPolicy: true,
            ignorePublicACLs: true,
            restrictPublicBuckets: true,
          },
        },
        probe: ofBucket('GetPublicAccessBlock', { PublicAccessBlockConfiguration: { BlockPublicPolicy: true } }),
        drift: { operation: 'DeletePublicAccessBlock', input: { Bucket: bucket } },
      },
    ],
    gone: ofBucket('GetBucketLocation', absent),
  },
  {
    service: 'acm',
    kind: 'Certificate',
    spec: { domainName: 'a.example.com' },
    made: certificate({ Certificate: { DomainName: 'a.example.com' } }),
    changes: [
      {
        name: 'tags',
        spec: { tags: [{ key: 'team', value: 'red' }] },
        probe: {
          operation: 'ListTagsForCertificate',
          input: { CertificateArn: '{status.ackResourceMetadata.arn}' },
          says: { Tags: containing({ Key: 'team', Value: 'red' }) },
        },
      },
    ],
    gone: certificate(absent),
  },
  {
    service: 'route53',
    kind: 'HostedZone',
    spec: { name: 'zone.example.com.', hostedZoneConfig: { comment: 'one' } },
    made: zone({ HostedZone: { Name: 'zone.example.com.', Config: { Comment: 'one' } } }),
    changes: [
      {
        name: 'hostedZoneConfig.comment',
        spec: { hostedZoneConfig: { comment: 'two' } },
        probe: zone({ HostedZone: { Config: { Comment: 'two' } } }),
        drift: { operation: 'UpdateHostedZoneComment', input: { Id: '{status.id}', Comment: 'strange' } },
      },
    ],
    gone: zone(absent),
  },
  {
    service: 'route53',
    kind: 'RecordSet',
    cannot: {
      'read-only': 'a record has no id: it is looked at by its manifest',
      adoption: 'a record has no id: it is adopted by its manifest',
      delete: 'of what was not adopted',
    },
    others: [{ kind: 'HostedZone', name: 'zone', spec: { name: 'zone.example.com.' } }],
    ids: { hostedZoneID: '{others.zone.status.id}' },
    spec: {
      hostedZoneRef: { from: { name: 'zone' } },
      name: 'www',
      recordType: 'A',
      ttl: 60,
      resourceRecords: [{ value: '192.0.2.1' }],
    },
    made: {
      operation: 'ListResourceRecordSets',
      input: { HostedZoneId: '{others.zone.status.id}' },
      says: { ResourceRecordSets: containing({ Name: 'www.zone.example.com.', TTL: 60 }) },
    },
    changes: [
      {
        name: 'ttl',
        spec: { ttl: 90 },
        probe: {
          operation: 'ListResourceRecordSets',
          input: { HostedZoneId: '{others.zone.status.id}' },
          says: { ResourceRecordSets: containing({ Name: 'www.zone.example.com.', TTL: 90 }) },
        },
        drift: {
          operation: 'ChangeResourceRecordSets',
          input: {
            HostedZoneId: '{others.zone.status.id}',
            ChangeBatch: {
              Changes: [
                {
                  Action: 'UPSERT',
                  ResourceRecordSet: {
                    Name: 'www.zone.example.com.',
                    Type: 'A',
                    TTL: 5,
                    ResourceRecords: [{ Value: '192.0.2.9' }],
                  },
                },
              ],
            },
          },
        },
      },
    ],
    gone: {
      operation: 'ListResourceRecordSets',
      input: { HostedZoneId: '{others.zone.status.id}', StartRecordName: 'www.zone.example.com.', StartRecordType: 'A' },
      says: { ResourceRecordSets: [] },
    },
  },
  {
    service: 'route53',
    kind: 'HealthCheck',
    spec: { healthCheckConfig: { type: 'HTTP', fullyQualifiedDomainName: 'a.example.com', port: 80, failureThreshold: 3 } },
    made: check({ HealthCheck: { HealthCheckConfig: { FailureThreshold: 3 } } }),
    changes: [
      {
        name: 'healthCheckConfig.failureThreshold',
        spec: { healthCheckConfig: { failureThreshold: 5 } },
        probe: check({ HealthCheck: { HealthCheckConfig: { FailureThreshold: 5 } } }),
        drift: { operation: 'UpdateHealthCheck', input: { HealthCheckId: '{status.id}', FailureThreshold: 7 } },
      },
    ],
    gone: check(absent),
  },
  {
    service: 'eks',
    kind: 'Cluster',
    needs: subnets,
    spec: {
      name: 'prod',
      roleARN: 'arn:aws:iam::123456789012:role/eks',
      resourcesVPCConfig: { subnetIDs },
    },
    made: cluster({ cluster: { name: 'prod', status: 'ACTIVE' } }),
    changes: [{ name: 'tags', spec: { tags: team }, probe: cluster({ cluster: { tags: team } }) }],
    gone: cluster(absent),
  },
  {
    service: 'eks',
    kind: 'Nodegroup',
    cannot: { adoption: 'moto tags no node group that is there' },
    needs: [...subnets, makeCluster],
    spec: {
      name: 'many',
      clusterName: 'prod',
      nodeRole: 'arn:aws:iam::123456789012:role/nodes',
      subnets: subnetIDs,
      scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 },
    },
    made: {
      operation: 'DescribeNodegroup',
      input: { clusterName: 'prod', nodegroupName: 'many' },
      says: { nodegroup: { scalingConfig: { desiredSize: 2 } } },
    },
    changes: [
      {
        name: 'scalingConfig',
        spec: { scalingConfig: { minSize: 1, maxSize: 5, desiredSize: 2 } },
        probe: {
          operation: 'DescribeNodegroup',
          input: { clusterName: 'prod', nodegroupName: 'many' },
          says: { nodegroup: { scalingConfig: { maxSize: 5 } } },
        },
      },
    ],
    gone: { operation: 'DescribeNodegroup', input: { clusterName: 'prod', nodegroupName: 'many' }, says: absent },
  },
  {
    service: 'eks',
    kind: 'FargateProfile',
    cannot: { adoption: 'moto tags no profile that is there' },
    needs: [...subnets, makeCluster],
    spec: {
      name: 'light',
      clusterName: 'prod',
      podExecutionRoleARN: 'arn:aws:iam::123456789012:role/pods',
      selectors: [{ namespace: 'light' }],
      subnets: subnetIDs,
    },
    made: {
      operation: 'DescribeFargateProfile',
      input: { clusterName: 'prod', fargateProfileName: 'light' },
      says: { fargateProfile: { fargateProfileName: 'light' } },
    },
    gone: { operation: 'DescribeFargateProfile', input: { clusterName: 'prod', fargateProfileName: 'light' }, says: absent },
  },
]
