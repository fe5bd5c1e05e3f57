// What the resources operator may do in AWS: the operations of the kinds that it looks after, by the names under which AWS allows them.
// Resources stay open: their names are the users' to choose.
import { aroundResource, permissionOf, type ResourceField } from '#aws'
import type { CloudPermission } from '#runtime'
import { chooseKinds } from './create-operator.ts'
import { parseQueueUrl } from './drift/queue-address.ts'
import type { KindModel } from './model/kind-model.ts'
import type { ResourcesOptions } from './options.ts'

export type CloudRightsOptions = Pick<ResourcesOptions, 'services' | 'kinds' | 'carm' | 'gates' | 'driftQueues'>

export function cloudRights(options: CloudRightsOptions): readonly CloudPermission[] {
  const { kinds } = chooseKinds(options)
  const passing = kinds.filter(passesRole)
  return [
    ...kinds.map(
      (model): CloudPermission => ({ actions: actionsOf(model), resources: ['*'], why: `the life of a ${model.kind.kind}` }),
    ),
    ...(passing.length === 0
      ? []
      : [
          {
            actions: ['iam:GetRole', 'iam:PassRole'],
            resources: ['*'],
            why: `roles that are handed over by ${namesOf(passing)}`,
          },
        ]),
    ...(options.carm === false && options.gates?.IAMRoleSelector === false
      ? []
      : [
          {
            actions: ['sts:AssumeRole', 'sts:TagSession'],
            resources: ['*'],
            why: 'work in other accounts, by role mappings or selectors',
          },
        ]),
    ...(options.driftQueues ?? []).map(queueRight),
  ]
}

function namesOf(kinds: readonly KindModel[]): string {
  return kinds.map(({ kind }) => kind.kind).join(', ')
}

/** Of its verbs, and of what stands around it: tags, versions, parts, attachments. */
function actionsOf({ kind, service }: KindModel): readonly string[] {
  const { signingName, operations } = service.model
  const { resource } = kind
  const isAround = aroundResource(resource)
  const named = [...kind.spec, ...kind.status].flatMap(({ from }) => (from?.operation === undefined ? [] : [from.operation]))
  const entries = (kind.subResources ?? []).flatMap(sub => [
    sub.list,
    sub.put,
    sub.delete,
    ...(sub.get === undefined ? [] : [sub.get]),
  ])
  const own = new Set([
    ...(Object.values(kind.operations) as string[]),
    ...entries,
    ...named,
    ...(deviating[`${service.alias}/${kind.kind}`] ?? []),
  ])
  const all = Object.keys(operations).filter(name => own.has(name) || isAround(name))
  return [...new Set([...all, ...own].map(name => permissionOf(signingName, name)))].sort()
}

/** What the code of single kinds calls that no name tells. */
const deviating: Readonly<Record<string, readonly string[]>> = {
  'acm/Certificate': ['ExportCertificate', 'ImportCertificate'],
  'eks/PodIdentityAssociation': ['ListPodIdentityAssociations'],
  'iam/Role': ['UpdateAssumeRolePolicy'],
  'iam/ServiceLinkedRole': ['DeleteServiceLinkedRole', 'GetRole', 'ListRoles', 'UpdateRoleDescription'],
  'route53/RecordSet': ['ChangeResourceRecordSets', 'GetChange', 'GetHostedZone', 'ListResourceRecordSets'],
  'route53/HostedZone': [
    'AssociateVPCWithHostedZone',
    'DisassociateVPCFromHostedZone',
    'ListHostedZonesByName',
    'ChangeTagsForResource',
    'ListTagsForResource',
  ],
  'route53/HealthCheck': ['ChangeTagsForResource', 'ListTagsForResource'],
  's3/Bucket': [
    'HeadBucket',
    'GetBucketAcl',
    'DeletePublicAccessBlock',
    'PutPublicAccessBlock',
    'GetPublicAccessBlock',
    'GetObjectLockConfiguration',
    'PutObjectLockConfiguration',
    'ListObjectVersions',
    'ListMultipartUploads',
    'DeleteObjects',
    'DeleteObjectVersion',
    'AbortMultipartUpload',
    'ListDirectoryBuckets',
    'TagResource',
    'UntagResource',
    'ListTagsForResource',
  ],
}

function passesRole({ kind, service }: KindModel): boolean {
  const isRole = ({ reference }: ResourceField): boolean =>
    reference?.resource === 'Role' && (reference.service ?? service.alias) === 'iam'
  return kind.spec.some(isRole) || Object.values(service.structures).flat().some(isRole)
}

function queueRight(url: string): CloudPermission {
  const { region = '*' } = parseQueueUrl(url)
  const [account = '*', name = '*'] = new URL(url).pathname.split('/').filter(part => part !== '')
  return {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    resources: [`arn:aws:sqs:${region}:${account}:${name}`],
    why: 'events of CloudTrail, by which drift is told',
  }
}
