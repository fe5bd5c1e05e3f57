// What an AdoptedResource asks for, and when an object has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import type { Resource } from '../api.ts'
import { modelOf } from '../testing/parts.ts'
import { adoptingObject, askedKey, askedKind, nameOf } from './adopting-object.ts'
import { adoptedUid, adoptionIn, adoptionNote, isNoted } from './adoption-note.ts'
import { isAdoptedResource } from './from-adopted-resource.ts'

const arn = 'arn:aws:route53:::hostedzone/Z1'
const zone = modelOf('route53', 'HostedZone')
const wish = (fields: object, model = zone) => ({ model, at: { namespace: 'apps', name: 'x' }, fields: JSON.stringify(fields) })
const held = (spec: object, status: object = {}): Resource =>
  ({ metadata: { name: 'x' }, spec, status: { ackResourceMetadata: { arn }, ...status } }) as unknown as Resource

for (const [what, target, fields, adoption] of [
  ['nothing yet', { metadata: {} } as unknown as Resource, { id: 'Z1' }, 'none'],
  ['the ARN', held({}), { arn }, 'wished'],
  ['another ARN', held({}), { arn: `${arn}0` }, 'another'],
  ['the name at the end of the ARN', held({}), { arn: 'Z1' }, 'wished'],
  ['a field of its spec', held({ name: 'a.' }), { name: 'a.' }, 'wished'],
  ['another field of its spec', held({ name: 'b.' }), { name: 'a.' }, 'another'],
  ['a field of its status, with what stands before it', held({}, { id: '/hostedzone/Z1' }), { ID: 'Z1' }, 'wished'],
  ['another field of its status', held({}, { id: 'Z2' }), { ID: 'Z1' }, 'another'],
  ['a field that it does not say', held({}), { name: 'a.' }, 'wished'],
  ['what is no field', held({}), { other: 'x' }, 'wished'],
  ['an empty field', held({ name: 'a:' }), { name: '' }, 'another'],
  ['one of two fields', held({ name: 'a.' }, { id: 'Z2' }), { name: 'a.', ID: 'Z1' }, 'another'],
] as const)
  test(`an object with ${what} has ${adoption === 'wished' ? 'what is wished' : adoption}`, () =>
    assert.equal(adoptionIn(target, wish(fields)), adoption))

test('what is noted holds for the very wish, and for no other', () => {
  const noted = (conditions: readonly object[]) => ({ metadata: {}, status: { conditions } }) as never
  const note = adoptionNote(wish({ arn }), 'u')
  assert.deepEqual([adoptedUid(noted([note]), wish({ arn })), adoptedUid(noted([note]), wish({ name: 'a' }))], ['u', undefined])
  assert.equal(adoptedUid(noted([{ ...note, message: 'x' }]), wish({ arn })), undefined)
  assert.deepEqual([isNoted(noted([note])), isNoted(noted([]))], [true, false])
})

const asking = (spec: unknown, metadata: object = { namespace: 'team', name: 'old' }): KubeObject =>
  ({ metadata, spec }) as unknown as KubeObject
const target = (metadata: object, more: object = {}) => asking({ kubernetes: { group: 'g', kind: 'Role', metadata }, ...more })

for (const [what, object, key] of [
  ['no word', target({}), 'team/old'],
  ['a name', target({ name: 'n', generateName: 'p-' }), 'team/n'],
  ['a prefix', target({ generateName: 'p-' }), 'team/p-old'],
  ['a namespace', target({ namespace: 'o' }), 'o/old'],
  ['nothing at all', asking(undefined, {}), 'default/'],
] as const)
  test(`an AdoptedResource with ${what} of its object asks for ${key}`, () => {
    const { namespace, name } = askedKey(object)
    assert.equal(`${namespace}/${name}`, key)
  })

test('an AdoptedResource says its kind and its name, as far as it has them', () => {
  assert.deepEqual(
    [askedKind(target({})), askedKind(asking({}))],
    [
      { group: 'g', kind: 'Role' },
      { group: '', kind: '' },
    ],
  )
  assert.deepEqual([nameOf(target({})), nameOf(asking({}, {}))], ['AdoptedResource team/old', 'AdoptedResource default/'])
})

test('the owners that it names are those of its object', () => {
  const made = (ownerReferences: unknown) =>
    'ownerReferences' in adoptingObject(target({ ownerReferences }, { aws: { arn } }), modelOf('iam', 'Role')).metadata
  assert.deepEqual([made([{ name: 'o' }]), made([]), made('x'), made(undefined)], [true, false, false, false])
})

test('a kind of the same name of another group is no AdoptedResource', () => {
  const is = (apiVersion: string, kind = 'AdoptedResource') => isAdoptedResource({ apiVersion, kind, metadata: {} })
  assert.deepEqual(
    [is('services.k8s.aws/v1alpha1'), is('x.services.k8s.aws/v1'), is('services.k8s.aws/v1', 'FieldExport')],
    [true, false, false],
  )
})
