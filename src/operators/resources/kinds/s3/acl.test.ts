// What a bucket's list of grants is called in a manifest, and what a manifest asks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putAcl, readAcl, sameAcl } from './acl.ts'

const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers'
const authenticated = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers'
const logs = 'http://acs.amazonaws.com/groups/s3/LogDelivery'
const grant = (Permission: string, Grantee: object): object => ({ Grantee, Permission })
const owner = grant('FULL_CONTROL', { ID: 'me' })
const read = (...grants: readonly object[]): object => readAcl({ Owner: { ID: 'me' }, Grants: [owner, ...grants] })

for (const [what, found, expected] of [
  ['nobody but the owner', read(), { acl: 'private|bucket-owner-read|bucket-owner-full-control' }],
  ['readers', read(grant('READ', { URI: everyone })), { acl: 'public-read', grantRead: `uri="${everyone}"` }],
  [
    'readers and writers, in another order',
    read(grant('WRITE', { URI: everyone }), grant('READ', { URI: everyone })),
    { acl: 'public-read-write', grantRead: `uri="${everyone}"`, grantWrite: `uri="${everyone}"` },
  ],
  [
    'who has an account',
    read(grant('READ', { URI: authenticated })),
    { acl: 'authenticated-read', grantRead: `uri="${authenticated}"` },
  ],
  [
    'logs',
    read(grant('WRITE', { URI: logs }), grant('READ_ACP', { URI: logs })),
    { acl: 'log-delivery-write', grantWrite: `uri="${logs}"`, grantReadACP: `uri="${logs}"` },
  ],
  [
    'two users',
    read(grant('READ', { ID: 'you' }), grant('READ', { EmailAddress: 'a@example.com' })),
    { grantRead: 'emailAddress="a@example.com",id="you"' },
  ],
  ['another with full control', read(grant('FULL_CONTROL', { ID: 'you' })), { grantFullControl: 'id="you"' }],
  ['the owner with less', read(grant('READ_ACP', { ID: 'me' })), { grantReadACP: 'id="me"' }],
  ['a writer of the list', read(grant('WRITE_ACP', { ID: 'you' })), { grantWriteACP: 'id="you"' }],
  ['somebody of whom nothing is told', read(grant('READ', {})), { grantRead: 'emailAddress=""' }],
  ['somebody where no owner is told', readAcl({ Grants: [grant('FULL_CONTROL', {})] }), { grantFullControl: 'emailAddress=""' }],
] as const)
  test(`a list of grants to ${what} is ${JSON.stringify(expected)}`, () => assert.deepEqual(found, expected))

const content = (spec: object) => ({ spec, status: {} }) as never

for (const [what, wanted, latest, same] of [
  ['a name', { acl: 'public-read' }, { acl: 'public-read' }, true],
  ['another name', { acl: 'public-read' }, { acl: 'private' }, false],
  ['one of several names', { acl: 'bucket-owner-read' }, { acl: 'private|bucket-owner-read' }, true],
  ['a name where grants have none', { acl: 'private' }, { grantRead: 'id="a"' }, false],
  ['nothing, of what is private', {}, { acl: 'private|bucket-owner-read' }, true],
  ['an empty name, of what is private', { acl: '' }, { acl: 'private' }, true],
  ['nothing, of what is public', {}, { acl: 'public-read' }, false],
  ['empty grants, of what is private', { grantRead: '' }, { acl: 'private' }, true],
  ['grants in another order', { grantRead: 'id="b", id="a"' }, { grantRead: 'id="a",id="b"' }, true],
  ['a grant less', { grantRead: 'id="a"' }, { grantRead: 'id="a",id="b"' }, false],
  ['a grant beside another', { grantRead: 'id="a"' }, { grantRead: 'id="a"', grantWrite: 'id="b"' }, false],
  ['a grant that is not there', { grantRead: 'id="a"' }, { acl: 'private' }, false],
] as const)
  test(`an ACL that wants ${what} is ${same ? 'as it is wanted' : 'another'}`, () =>
    assert.equal(sameAcl(content(wanted), content(latest)), same))

for (const [what, spec, input] of [
  ['nothing', {}, { ACL: 'private' }],
  ['empty grants', { grantRead: '' }, { ACL: 'private' }],
  ['a name', { acl: 'public-read' }, { ACL: 'public-read' }],
  ['grants', { grantRead: 'id="a"', grantWriteACP: 'id="b"' }, { GrantRead: 'id="a"', GrantWriteACP: 'id="b"' }],
] as const)
  test(`a manifest with ${what} of an ACL puts ${Object.keys(input).join(' and ')}`, () => {
    const call = putAcl('data', content(spec))
    assert.deepEqual([call.operation, call.input], ['PutBucketAcl', { Bucket: 'data', ...input }])
  })
