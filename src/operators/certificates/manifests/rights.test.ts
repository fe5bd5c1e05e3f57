import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudRights } from './cloud-rights.ts'
import { kubeRights } from './rights.ts'
import { zoneFileText } from './zone-file.ts'

const arn = (id: string): string => `arn:aws:route53:::hostedzone/${id}`
const role = 'arn:aws:iam::111122223333:role/dns'
const own = { name: 'a.b', id: 'Z1' }
const theirs = { name: 'c.d', id: 'Z2', assumeRoleArn: role }

for (const [what, zones, records, roles] of [
  ['no zone that is known', [], [arn('*')], undefined],
  ['a zone of its own', [own], [arn('Z1')], undefined],
  ['a zone of another account', [theirs], [arn('*')], [role]],
  ['zones of both', [own, theirs, { ...theirs, name: 'e.f', id: 'Z3' }], [arn('Z1')], [role]],
] as const)
  test(`with ${what} records are written in ${records.join()}, and ${roles === undefined ? 'no role' : 'one role'} is assumed`, () => {
    const rights = cloudRights({ zones, exports: false })
    const of = (action: string): unknown => rights.find(({ actions }) => actions.includes(action))?.resources
    assert.deepEqual([of('route53:ChangeResourceRecordSets'), of('sts:AssumeRole')], [records, roles])
  })

test('keys are read in AWS, and written into namespaces, where that was chosen and nowhere else', () => {
  const exporting = (exports: boolean): boolean =>
    cloudRights({ zones: [], exports }).some(({ actions }) => actions.includes('acm:ExportCertificate'))
  assert.deepEqual([false, true].map(exporting), [false, true])
  const secretsWithin = (exportNamespaces: readonly string[] | undefined): unknown =>
    kubeRights({ namespaces: undefined, publishes: false, hasPolicies: false, exportNamespaces }).find(
      ({ resource }) => resource === 'secrets',
    )?.within
  assert.deepEqual([undefined, ['a']].map(secretsWithin), [undefined, ['a']])
})

test('what is asked of the API server is asked of the namespaces that are watched, or of all', () => {
  const within = (namespaces: readonly string[] | undefined): readonly unknown[] =>
    kubeRights({ namespaces, publishes: true, hasPolicies: false, exportNamespaces: undefined }).map(right => right.within)
  assert.ok(within(undefined).every(each => each === undefined))
  assert.ok(within(['a']).every(each => JSON.stringify(each) === '["a"]'))
})

test('the file of zones is the one that was given, or an empty list', () => {
  assert.deepEqual(
    [{}, { 'zone-config-file': '- x' }].map(files => zoneFileText({ files } as never)),
    ['[]', '- x'],
  )
})
