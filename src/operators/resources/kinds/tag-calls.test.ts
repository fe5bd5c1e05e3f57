// The calls that change tags, in the form that each service takes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindModel } from '../model/kind-model.ts'
import { type ShippedKinds, shippedService } from '../services/shipped.ts'
import { tagCalls } from './tag-calls.ts'

function calls(alias: ShippedKinds, kind: string, spec: object, wanted: unknown, latest: unknown) {
  const { service } = shippedService(alias)
  const model = kindModel(service, service.kinds[kind] ?? assert.fail(`no ${kind} is shipped`))
  const content = (tags: unknown) => ({ spec: { ...spec, tags }, status: {}, arn: 'arn:aws:x:::y' }) as never
  return tagCalls(model, { wanted: content(wanted), latest: content(latest) })?.map(({ operation, input }) => [operation, input])
}

const tag = (key: string, value: string): object => ({ key, value })
const Tags = [{ Key: 'a', Value: '2' }]
const CertificateArn = 'arn:aws:x:::y'

for (const [what, made, expected] of [
  [
    'a role, whose tags go by their keys',
    calls('iam', 'Role', { name: 'r' }, [tag('a', '2')], [tag('a', '1'), tag('b', '1')]),
    [
      ['UntagRole', { RoleName: 'r', TagKeys: ['b'] }],
      ['TagRole', { RoleName: 'r', Tags }],
    ],
  ],
  [
    'a certificate, whose tags go by structures',
    calls('acm', 'Certificate', {}, [tag('a', '2')], [tag('a', '1'), tag('b', '1')]),
    [
      ['RemoveTagsFromCertificate', { CertificateArn, Tags: [{ Key: 'b' }] }],
      ['AddTagsToCertificate', { CertificateArn, Tags }],
    ],
  ],
  [
    'an addon, whose tags are a map',
    calls('eks', 'Addon', { name: 'n' }, { a: '2' }, { a: '1', b: '1' }),
    [
      ['UntagResource', { resourceArn: 'arn:aws:x:::y', tagKeys: ['b'] }],
      ['TagResource', { resourceArn: 'arn:aws:x:::y', tags: { a: '2' } }],
    ],
  ],
  ['what has its tags', calls('iam', 'Role', { name: 'r' }, [tag('a', '1')], [tag('a', '1')]), []],
  ['what lacks one', calls('iam', 'Role', { name: 'r' }, [tag('a', '2')], []), [['TagRole', { RoleName: 'r', Tags }]]],
] as const)
  test(`the tags of ${what}`, () => assert.deepEqual(made, expected))

test('where nothing is known that the operation needs, there are no such calls', () =>
  assert.equal(calls('iam', 'Role', {}, [tag('a', '2')], []), undefined))
