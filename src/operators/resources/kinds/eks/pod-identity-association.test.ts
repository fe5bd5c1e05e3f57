// By what an association of EKS is found, and how its second role is taken away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../../api.ts'
import { textOf } from '../../model/convert.ts'
import type { Content } from '../../model/request.ts'
import { answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import { eksPodIdentityAssociation as deviation } from './pod-identity-association.ts'

const model = modelOf('eks', 'PodIdentityAssociation')
const content = (spec: object, status: object = {}): Content => ({ spec, status }) as Content
const pair = { clusterName: 'c', namespace: 'n', serviceAccount: 's' }
const claimOf = (isBegun = false): Resource =>
  ({ metadata: { name: 'x', ...(isBegun ? { annotations: { [annotations.createIntent]: 't' } } : {}) } }) as unknown as Resource
const held = (associationId: string, more: object = {}) => ({ namespace: 'n', serviceAccount: 's', associationId, ...more })

async function read(
  wanted: Content,
  { claim = claimOf(), adopting = false, associations = [held('a1')] as readonly object[] } = {},
) {
  const association = { ...pair, associationId: 'a1', associationArn: 'arn:aws:eks:::a1', roleArn: 'r' }
  const { caller, asked } = answering({
    DescribePodIdentityAssociation: { association },
    ListPodIdentityAssociations: { associations },
  })
  const found = await deviation.read?.({ model, deviation, wanted, claim, adopting, caller } as never)
  return {
    arn: found?.arn,
    asked: asked.map(([operation, input]) => `${operation.slice(0, 4)} ${textOf(input['associationId'] ?? '')}`.trim()),
  }
}

for (const [what, wanted, options, asked] of [
  ['is known by its id', content(pair, { associationID: 'a0' }), {}, ['Desc a0']],
  ['was never begun', content(pair), {}, []],
  ['was begun', content(pair), { claim: claimOf(true) }, ['List', 'Desc a1']],
  ['is to be adopted', content(pair), { adopting: true }, ['List', 'Desc a1']],
  ['is not there', content(pair), { adopting: true, associations: [] }, ['List']],
  ['is one of two', content(pair), { adopting: true, associations: [held('a1'), held('a2')] }, ['List']],
  [
    'is listed with others',
    content(pair),
    { adopting: true, associations: [held('a2', { namespace: 'o' }), held('a3', { serviceAccount: 'o' }), held('a1')] },
    ['List', 'Desc a1'],
  ],
  ['names no cluster', content({ ...pair, clusterName: undefined }), { adopting: true }, []],
  ['names no namespace', content({ ...pair, namespace: undefined }), { adopting: true }, []],
  ['names no ServiceAccount', content({ ...pair, serviceAccount: undefined }), { adopting: true }, []],
] as const)
  test(`an association that ${what} is looked for by ${asked.join(' and ') || 'nothing'}`, async () => {
    const { arn, asked: questions } = await read(wanted, options)
    assert.deepEqual([questions, arn], [asked, asked.some(each => each.startsWith('Desc')) ? 'arn:aws:eks:::a1' : undefined])
  })

test('an association has the ARN that AWS tells of it, and is found by a list while its id is not known', () => {
  const created = (status: object) => deviation.created?.({}, content({}, status), {} as never)
  assert.equal(created({ associationARN: 'arn' })?.arn, 'arn')
  assert.deepEqual(created({}), content({}))
  assert.deepEqual(
    [deviation.findsByList?.(content({})), deviation.findsByList?.(content({}, { associationID: 'a' }))],
    [true, false],
  )
})

for (const [what, wanted, latest, cleared] of [
  ['goes', undefined, 'r', true],
  ['is emptied', '', 'r', true],
  ['stays', 'r', 'r', false],
  ['comes', 'r', undefined, false],
  ['never was', undefined, undefined, false],
  ['was empty', undefined, '', false],
] as const)
  test(`a second role that ${what} is ${cleared ? 'taken away by an empty text' : 'left out of the update'}`, () => {
    const named = { named: (name: string) => (name === 'TargetRoleARN' ? {} : undefined) }
    const update = (spec: unknown) =>
      deviation.update?.({ a: 1 }, {
        wanted: content({ targetRoleARN: wanted }),
        latest: content({ targetRoleARN: latest }),
        model: { spec },
      } as never)
    assert.deepEqual(update(named), cleared ? { a: 1, targetRoleArn: '' } : { a: 1 })
    assert.deepEqual(update({ named: () => undefined }), { a: 1 })
  })
