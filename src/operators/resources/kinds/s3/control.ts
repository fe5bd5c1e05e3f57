// Tags of directory buckets: S3 itself has no call for them, a service beside it does. Three of its operations, as its API has them.
import type { Member, Operation, ServiceModel, StructureShape } from '#aws'
import { textOf } from '../../model/convert.ts'
import type { Values } from '../../model/request.ts'
import { type Tags, tagChanges } from '../../model/tags.ts'
import { structuresOf, tagList, update } from '../calls.ts'
import type { Caller, PlannedCall } from '../deviation.ts'

const uri = '/v20180820/tags/{ResourceArn+}'
const request: StructureShape['members'] = {
  AccountId: { target: 'String', location: 'header', locationName: 'x-amz-account-id' },
  ResourceArn: { target: 'String', location: 'uri' },
}

const operation = (name: string, method: string, code: number, more: Partial<Operation> = {}): Operation => ({
  name,
  http: { method, uri, code },
  input: `${name}Request`,
  errors: [],
  ...more,
})

const structure = (members: Readonly<Record<string, Member>>, required: readonly string[] = []): StructureShape => ({
  type: 'structure',
  members,
  required,
})

/** Of buckets in one zone: they stand apart from the rest of S3, under a name and a signature of their own. */
export const s3Control: ServiceModel = {
  id: 'S3 Control',
  apiVersion: '2018-08-20',
  protocol: 'rest-xml',
  endpointPrefix: 's3express-control',
  signingName: 's3express',
  xmlNamespace: 'http://awss3control.amazonaws.com/doc/2018-08-20/',
  operations: {
    ListTagsForResource: operation('ListTagsForResource', 'GET', 200, { output: 'ListTagsForResourceResult' }),
    TagResource: operation('TagResource', 'POST', 204, { checksumRequired: true }),
    UntagResource: operation('UntagResource', 'DELETE', 204),
  },
  shapes: {
    String: { type: 'string' },
    Tag: structure({ Key: { target: 'String' }, Value: { target: 'String' } }, ['Key', 'Value']),
    TagList: { type: 'list', member: { target: 'Tag', locationName: 'Tag' } },
    TagKeyList: { type: 'list', member: { target: 'String' } },
    ListTagsForResourceRequest: structure(request, ['AccountId', 'ResourceArn']),
    ListTagsForResourceResult: structure({ Tags: { target: 'TagList' } }),
    TagResourceRequest: structure({ ...request, Tags: { target: 'TagList' } }, ['AccountId', 'ResourceArn', 'Tags']),
    UntagResourceRequest: structure(
      { ...request, TagKeys: { target: 'TagKeyList', location: 'querystring', locationName: 'tagKeys' } },
      ['AccountId', 'ResourceArn', 'TagKeys'],
    ),
  },
}

interface DirectoryBucket {
  readonly account: string
  readonly arn: string | undefined
}

export async function readDirectoryTags(caller: Caller, bucket: DirectoryBucket): Promise<Tags> {
  const { Tags: found } = await caller.of(s3Control).call('ListTagsForResource', inputOf(bucket))
  return Object.fromEntries(structuresOf(found).map(({ Key, Value }) => [textOf(Key), textOf(Value ?? '')]))
}

export function directoryTagCalls(bucket: DirectoryBucket, wanted: Tags, latest: Tags): readonly PlannedCall[] {
  const { set, removed } = tagChanges(wanted, latest)
  const of = (call: PlannedCall): PlannedCall => ({ ...call, service: s3Control })
  const input = inputOf(bucket)
  return [
    ...(removed.length === 0 ? [] : [of(update('UntagResource', { ...input, TagKeys: removed }))]),
    ...(Object.keys(set).length === 0 ? [] : [of(update('TagResource', { ...input, Tags: tagList(set) }))]),
  ]
}

function inputOf({ account, arn }: DirectoryBucket): Values {
  return { AccountId: account, ResourceArn: arn }
}
