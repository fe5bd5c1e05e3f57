// The managed policies of AWS that the emulator knows (spec §5.4). Their documents cover the actions of the emulated services in the
// meaning of their namesakes; they are not copies of AWS's texts, which name hundreds of other services.

export interface AwsPolicy {
  readonly name: string
  readonly path: string
  readonly arn: string
  readonly id: string
  readonly document: string
}

interface Statement {
  readonly Effect: 'Allow'
  readonly Action?: readonly string[] | string
  readonly NotAction?: readonly string[]
  readonly Resource: string
}

const allow = (...actions: readonly string[]): readonly Statement[] => [{ Effect: 'Allow', Action: actions, Resource: '*' }]

const statements: Readonly<Record<string, readonly Statement[]>> = {
  AdministratorAccess: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
  PowerUserAccess: [
    { Effect: 'Allow', NotAction: ['iam:*', 'organizations:*', 'account:*'], Resource: '*' },
    {
      Effect: 'Allow',
      Action: [
        'iam:CreateServiceLinkedRole',
        'iam:DeleteServiceLinkedRole',
        'iam:ListRoles',
        'organizations:DescribeOrganization',
      ],
      Resource: '*',
    },
  ],
  ReadOnlyAccess: allow(
    ...['iam', 's3', 'eks', 'acm', 'route53', 'organizations', 'servicequotas'].flatMap(service => [
      `${service}:Get*`,
      `${service}:List*`,
      `${service}:Describe*`,
    ]),
    'iam:Simulate*',
    'sts:GetCallerIdentity',
    'sts:GetAccessKeyInfo',
    'sts:GetSessionToken',
    'tag:Get*',
    'route53:TestDNSAnswer',
  ),
  AmazonS3FullAccess: allow('s3:*', 's3-object-lambda:*'),
  AmazonS3ReadOnlyAccess: allow('s3:Get*', 's3:List*', 's3:Describe*', 's3-object-lambda:Get*', 's3-object-lambda:List*'),
  AmazonRoute53FullAccess: allow('route53:*', 'route53domains:*', 's3:ListAllMyBuckets', 's3:GetBucketLocation'),
  AWSCertificateManagerFullAccess: allow('acm:*'),
  AmazonEKSClusterPolicy: allow(
    'autoscaling:Describe*',
    'ec2:Describe*',
    'elasticloadbalancing:*',
    'kms:DescribeKey',
    'iam:CreateServiceLinkedRole',
  ),
  AmazonEKSWorkerNodePolicy: allow('ec2:Describe*', 'eks:DescribeCluster', 'eks-auth:AssumeRoleForPodIdentity'),
  AmazonEC2ContainerRegistryReadOnly: allow(
    'ecr:Get*',
    'ecr:Describe*',
    'ecr:List*',
    'ecr:BatchGetImage',
    'ecr:BatchCheckLayerAvailability',
  ),
}

/** In name order. */
export function awsPolicies(partition: string): readonly AwsPolicy[] {
  return Object.keys(statements)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(name => policyNamed(partition, name))
}

export function awsPolicy(partition: string, arn: string): AwsPolicy | undefined {
  const prefix = `arn:${partition}:iam::aws:policy/`
  const name = arn.startsWith(prefix) ? arn.slice(prefix.length) : ''
  return Object.hasOwn(statements, name) ? policyNamed(partition, name) : undefined
}

function policyNamed(partition: string, name: string): AwsPolicy {
  const letters = name.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return {
    name,
    path: '/',
    arn: `arn:${partition}:iam::aws:policy/${name}`,
    id: `ANPA${letters.padEnd(17, 'A').slice(0, 17)}`,
    document: JSON.stringify({ Version: '2012-10-17', Statement: statements[name] }),
  }
}
