// What the operator takes for what is off by default.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionsOf, type RightsOptions, resourceRights } from './rights.ts'

const options: RightsOptions = { services: ['iam'], kinds: ['Role'], fieldExport: false, adoptedResources: true }

test('rights on definitions, and on objects of all namespaces, are taken only where objects are moved to another stored version [9.32]', () => {
  const of = (more: Partial<RightsOptions>): readonly string[] =>
    resourceRights({ ...options, watchNamespaces: ['a'], ...more }).flatMap(({ resource, verbs, names = [], within = [] }) =>
      verbs.map(verb => `${verb} ${resource} ${names.join()}@${within.join()}`),
    )
  const [without, moving] = [of({}), of({ migrates: true })]
  const names = ['roles.iam.services.k8s.aws', 'adoptedresources.services.k8s.aws', 'iamroleselectors.services.k8s.aws']
  assert.deepEqual(definitionsOf(options), names)
  assert.deepEqual(
    moving.filter(right => !without.includes(right)),
    [
      ...names.flatMap(name => [`get customresourcedefinitions ${name}@`, `patch customresourcedefinitions/status ${name}@`]),
      'list roles @',
      'patch roles/status @',
      'list adoptedresources @',
      'patch adoptedresources/status @',
      'patch iamroleselectors/status @',
    ],
  )
})

const of = (more: Partial<RightsOptions>): readonly string[] =>
  resourceRights({ ...options, adoptedResources: false, ...more }).flatMap(({ resource, verbs, names = [], within = [] }) =>
    verbs.map(
      verb =>
        `${verb} ${resource}${names.length === 0 ? '' : ` ${names.join()}`}${within.length === 0 ? '' : `@${within.join()}`}`,
    ),
  )
const least = of({ carm: false, events: false, gates: { IAMRoleSelector: false } })

test('what one kind takes with all that can be left out left out', () => {
  assert.deepEqual(
    least.filter(right => !right.includes('groups') && !right.includes('policies')),
    ['get roles', 'list roles', 'watch roles', 'patch roles', 'patch roles/status', 'list namespaces', 'watch namespaces'],
  )
  // What a role refers to is followed, and not written.
  assert.deepEqual(
    least.filter(right => right.includes('policies')),
    ['list policies', 'watch policies'],
  )
})

const secret = 'apps/web'
const roles = ['get', 'list', 'watch', 'patch'].map(verb => `${verb} roles`)
const added: readonly (readonly [
  what: string,
  more: Partial<RightsOptions>,
  rights: readonly string[],
  missing?: readonly string[],
])[] = [
  ['events', { events: true }, ['get events', 'create events', 'patch events']],
  ['selectors', { gates: { IAMRoleSelector: true } }, ['list iamroleselectors', 'watch iamroleselectors']],
  ['role mappings', { carm: true }, ['get configmaps ack-role-account-map@ack-system']],
  [
    'role mappings by team, elsewhere',
    { carm: true, gates: { IAMRoleSelector: false, TeamLevelCARM: true }, systemNamespace: 'ack' },
    ['get configmaps ack-role-account-map,ack-role-team-map@ack'],
  ],
  ['installed CRDs', { installsCrds: true }, ['create customresourcedefinitions', 'patch customresourcedefinitions']],
  ['no Secrets that its kinds could name', { secrets: [secret] }, []],
  [
    'exports',
    { fieldExport: true },
    [
      ...['get', 'list', 'watch', 'patch'].map(verb => `${verb} fieldexports`),
      'patch fieldexports/status',
      'get configmaps',
      'patch configmaps',
    ],
  ],
  [
    'AdoptedResources',
    { adoptedResources: true },
    [
      ...['get', 'list', 'watch', 'patch'].map(verb => `${verb} adoptedresources`),
      'patch adoptedresources/status',
      'create roles',
    ],
  ],
  [
    'one namespace',
    { watchNamespaces: ['a'], carm: true },
    [...roles, 'patch roles/status'].map(right => `${right}@a`),
    [...roles, 'patch roles/status'],
  ],
  ['no namespaces of its own', { watchNamespaces: [] }, []],
]

const isOfReferred = (right: string): boolean => right.includes('policies')

for (const [what, more, rights, missing = []] of added)
  test(`with ${what} it takes ${rights.length === 0 ? 'no more' : rights.slice(0, 2).join(', ')}`, () => {
    const found = of({ carm: false, events: false, ...more, gates: more.gates ?? { IAMRoleSelector: false } })
    const [taken, left] = [found.filter(right => !least.includes(right)), least.filter(right => !found.includes(right))]
    assert.deepEqual(
      [taken, left].map(all => all.filter(right => !isOfReferred(right))),
      [rights, missing],
    )
  })

const certificates: Partial<RightsOptions> = { services: ['acm'], kinds: ['Certificate'] }
const extended: Partial<RightsOptions> = { fieldExport: true, extendedFieldExports: true }
const web = ['get', 'patch', 'list', 'watch'].map(verb => `${verb} secrets web@apps`)

for (const [what, more, rights] of [
  ['certificates, and no Secret', certificates, []],
  ['certificates beside roles', { services: ['acm', 'iam'], kinds: ['Certificate', 'Role'], secrets: [secret] }, web],
  ['certificates, and a Secret', { ...certificates, secrets: [secret] }, web],
  [
    'certificates, and the Secrets of a namespace',
    { ...certificates, secrets: ['apps/*'] },
    web.map(right => right.replace(' web', '')),
  ],
  [
    'certificates, and all Secrets',
    { ...certificates, secrets: ['*'] },
    ['get secrets', 'patch secrets', 'list secrets', 'watch secrets'],
  ],
  [
    'certificates of one namespace, and all Secrets',
    { ...certificates, secrets: ['*'], watchNamespaces: ['a'] },
    ['get secrets', 'patch secrets', 'list secrets@a', 'watch secrets@a'],
  ],
  [
    'certificates, and a Secret that is not watched',
    { ...certificates, secrets: [secret], watchSecrets: false },
    web.slice(0, 2),
  ],
  ['exports, and a Secret', { fieldExport: true, secrets: [secret] }, web.slice(0, 2)],
  ['extended exports, and a Secret', { ...extended, secrets: [secret] }, [...web, 'create secrets@apps']],
  [
    'extended exports, and all Secrets',
    { ...extended, secrets: ['*'] },
    ['get secrets', 'patch secrets', 'list secrets', 'watch secrets', 'create secrets'],
  ],
  ['extended exports that are left to others', { ...extended, fieldExport: false, secrets: [secret] }, []],
] as const)
  test(`for ${what}, ${rights.length} rights to Secrets are taken`, () =>
    assert.deepEqual(
      of(more).filter(right => right.includes(' secrets')),
      rights,
    ))

test('targets of exports are made by extended ones only', () => {
  const makes = [{ fieldExport: true }, extended].map(more => of(more).includes('create configmaps'))
  assert.deepEqual(makes, [false, true])
})

test('validation records of certificates are made, and nothing of the kind for others', () => {
  const ofRecords = (more: Partial<RightsOptions>): readonly string[] => of(more).filter(right => right.includes('recordsets'))
  assert.deepEqual(ofRecords(certificates), ['get recordsets', 'create recordsets', 'patch recordsets'])
  assert.deepEqual(ofRecords({ services: ['acm', 'iam'], kinds: ['Certificate', 'Role'] }), ofRecords(certificates))
  assert.deepEqual(ofRecords({}), [])
})

test('who exports, or looks after one namespace alone, needs no right to role mappings', () => {
  for (const more of [{ watchNamespaces: ['a'] }, { fieldExport: true }])
    assert.ok(!of({ carm: true, ...more }).some(right => right.includes('role-account-map')))
})

test('a kind of its own that others refer to is looked after, and not followed a second time', () => {
  const found = of({ kinds: ['Role', 'Policy'] })
  assert.deepEqual(
    found.filter(right => /^(?:list|patch) policies$/.test(right)),
    ['list policies', 'patch policies'],
  )
})
