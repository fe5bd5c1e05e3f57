// Where the calls for a claim are made, and as whom: by what its namespace, its manifest, the maps and the selectors say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../api.ts'
import { type MatchedSelector, needsRoleMaps, type PlaceInput, selectPlace } from './select-place.ts'

const [ours, theirs] = ['111122223333', '444455556666']
const role = `arn:aws:iam::${theirs}:role/worker`
const note = {
  account: 'services.k8s.aws/owner-account-id',
  team: 'services.k8s.aws/team-id',
  region: 'services.k8s.aws/default-region',
  endpoint: 'services.k8s.aws/endpoint-url',
} as const
const of = (...notes: readonly (readonly [keyof typeof note, string])[]): Pick<PlaceInput, 'namespaceAnnotations'> => ({
  namespaceAnnotations: Object.fromEntries(notes.map(([name, value]) => [note[name], value])),
})
const made = (recorded: object, more: object = {}): Pick<PlaceInput, 'claim'> => ({
  claim: {
    metadata: { namespace: 'team', name: 'x' },
    status: { ackResourceMetadata: recorded },
    ...more,
  } as unknown as Resource,
})

function input(...more: readonly Partial<PlaceInput>[]): PlaceInput {
  return Object.assign(
    {
      ...made({}),
      service: 's3',
      namespaceAnnotations: {},
      home: { account: ours, partition: 'aws', region: 'eu-west-1' },
      maps: { accounts: undefined, teams: undefined },
      carm: true,
      serviceLevelCarm: false,
      teamLevelCarm: false,
    },
    ...more,
  ) as PlaceInput
}
const accounts = (map: Readonly<Record<string, string>>): Partial<PlaceInput> => ({ maps: { accounts: map, teams: undefined } })
const teams = (map: Readonly<Record<string, string>>): Partial<PlaceInput> => ({
  maps: { accounts: undefined, teams: map },
  teamLevelCarm: true,
})
const selector = (name: string, more: Partial<MatchedSelector> = {}): MatchedSelector => ({
  name,
  resourceVersion: '7',
  arn: role,
  ...more,
})

const rows: readonly (readonly [what: string, given: PlaceInput, chosen: string])[] = [
  ['nobody says anything', input(), `${ours} eu-west-1 aws -`],
  ['the namespace names our own account, which needs no role', input(of(['account', ours])), `${ours} eu-west-1 aws -`],
  ['our own account has a role', input(of(['account', ours]), accounts({ [ours]: role })), `${ours} eu-west-1 aws ${role}`],
  [
    'the namespace names another',
    input(of(['account', theirs]), accounts({ [theirs]: role })),
    `${theirs} eu-west-1 aws ${role}`,
  ],
  ['another has no role', input(of(['account', theirs]), accounts({})), 'no-role'],
  ['another has an empty role', input(of(['account', theirs]), accounts({ [theirs]: '' })), 'no-role'],
  ['there is no map', input(of(['account', theirs])), 'no-role'],
  ['roles by account are off', input(of(['account', theirs]), { carm: false }), `${theirs} eu-west-1 aws -`],
  [
    'it was made in another account',
    input(made({ ownerAccountID: theirs }), accounts({ [theirs]: role })),
    `${theirs} eu-west-1 aws ${role}`,
  ],
  ['it was made in ours', input(made({ ownerAccountID: ours })), `${ours} eu-west-1 aws -`],
  ['it was made in another than is named', input(made({ ownerAccountID: theirs }), of(['account', ours])), 'moved'],
  [
    'the service has a role of its own',
    input(of(['account', theirs]), accounts({ [`s3.${theirs}`]: role, [theirs]: 'none' }), { serviceLevelCarm: true }),
    `${theirs} eu-west-1 aws ${role}`,
  ],
  [
    'the service has none of its own',
    input(of(['account', theirs]), accounts({ [theirs]: role }), { serviceLevelCarm: true }),
    `${theirs} eu-west-1 aws ${role}`,
  ],
  ['the team has a role', input(of(['team', 'a']), teams({ a: role })), `${theirs} eu-west-1 aws ${role}`],
  ['the team has none', input(of(['team', 'b']), teams({ a: role })), 'no-role'],
  ['the role of the team is of no account', input(of(['team', 'a']), teams({ a: 'arn:aws:iam:::role/x' })), 'no-role'],
  ['roles by team are off', input(of(['team', 'a']), teams({ a: role }), { teamLevelCarm: false }), `${ours} eu-west-1 aws -`],
  ['the namespace has a region', input(of(['region', 'us-east-1'])), `${ours} us-east-1 aws -`],
  [
    'the manifest has another',
    input(of(['region', 'us-east-1']), made({}, { metadata: { annotations: { 'services.k8s.aws/region': 'us-west-2' } } })),
    `${ours} us-west-2 aws -`,
  ],
  ['its spec has one', input(made({}, { spec: { region: 'us-west-2' } }), { regionInSpec: true }), `${ours} us-west-2 aws -`],
  ['its spec has one of another meaning', input(made({}, { spec: { region: 'us-west-2' } })), `${ours} eu-west-1 aws -`],
  ['it was made in another region', input(made({ region: 'us-east-1' })), 'moved'],
  ['it was made in this region', input(made({ region: 'eu-west-1' })), `${ours} eu-west-1 aws -`],
  ['the region is none', input(of(['region', 'here.and/there'])), 'invalid'],
  ['the account is none', input(of(['account', '12'])), 'invalid'],
  ['our own account is none', input({ home: { account: 'x', partition: 'aws', region: 'eu-west-1' } }), 'invalid'],
  ['the endpoint is none', input(of(['endpoint', 'ftp://x'])), 'invalid'],
  ['the endpoint is empty', input(of(['endpoint', ''])), `${ours} eu-west-1 aws -`],
  ['one selector matches', input({ selectors: [selector('a')] }), `${theirs} eu-west-1 aws ${role}`],
  ['selectors are on and none matches', input({ selectors: [] }), `${ours} eu-west-1 aws -`],
  ['two selectors match', input({ selectors: [selector('a'), selector('b')] }), 'ambiguous'],
  [
    'one of two goes before',
    input({ selectors: [selector('a', { arn: 'none' }), selector('b', { priority: 1 })] }),
    `${theirs} eu-west-1 aws ${role}`,
  ],
  ['a selector cannot be followed', input({ selectors: [selector('a', { problem: 'no' })] }), 'ambiguous'],
  ['a selector has no role', input({ selectors: [selector('a', { arn: 'none' })] }), 'ambiguous'],
  [
    'the role is of another partition',
    input({ selectors: [selector('a', { arn: `arn:aws-cn:iam::${theirs}:role/w` })] }),
    `${theirs} eu-west-1 aws-cn arn:aws-cn:iam::${theirs}:role/w`,
  ],
]

for (const [what, given, chosen] of rows)
  test(`where ${what}, the place is ${chosen}`, () => {
    const choice = selectPlace(given)
    const { account, region, partition, role: as = '-' } = choice.kind === 'chosen' ? choice.place : {}
    assert.equal(choice.kind === 'chosen' ? `${account} ${region} ${partition} ${as}` : choice.kind, chosen)
  })

test('a place has the session, the tags, the endpoint and the words of its selector', () => {
  const tags = [{ key: 'ns', value: '%K8S_NAMESPACE%-%CONTROLLER_SERVICE%' }]
  const choice = selectPlace(
    input(of(['endpoint', 'https://aws.example.com']), { selectors: [selector('a', { externalId: 'e', sessionTags: tags })] }),
  )
  assert.ok(choice.kind === 'chosen')
  const { session, externalId, sessionTags, endpoint, selected } = choice.place
  assert.deepEqual(
    [session, externalId, sessionTags, endpoint],
    ['team', 'e', [{ key: 'ns', value: 'team-s3' }], 'https://aws.example.com'],
  )
  assert.equal(selected?.message, `roleARN: ${role}, selectorName: a, selectorResourceVersion: 7`)
})

for (const [what, given, message] of [
  ['two selectors match', [selector('b'), selector('a')], 'more than one IAMRoleSelector matches: a, b'],
  ['a selector is wrong', [selector('a', { problem: 'no' })], 'IAMRoleSelector a cannot be followed: no'],
  ['a selector has no role', [selector('a', { arn: 'none' })], 'IAMRoleSelector a cannot be followed: no role ARN'],
] as const)
  test(`where ${what}, it is told by name`, () =>
    assert.deepEqual(selectPlace(input({ selectors: given })), { kind: 'ambiguous', message }))

test('an endpoint that is empty is none', () => {
  const choice = selectPlace(input(of(['endpoint', ''])))
  assert.ok(choice.kind === 'chosen')
  assert.equal('endpoint' in choice.place, false)
})

for (const [what, given, needs] of [
  ['nobody says anything', input(), false],
  ['the namespace names an account', input(of(['account', ours])), true],
  ['it was made in ours', input(made({ ownerAccountID: ours })), false],
  ['it was made in another', input(made({ ownerAccountID: theirs })), true],
  ['it was made in another, and roles by account are off', input(made({ ownerAccountID: theirs }), { carm: false }), false],
  ['the namespace has a team', input(of(['team', 'a']), { teamLevelCarm: true }), true],
  ['the namespace has a team, and roles by team are off', input(of(['team', 'a'])), false],
] as const)
  test(`where ${what}, the maps of roles are ${needs ? '' : 'not '}read`, () => assert.equal(needsRoleMaps(given), needs))
