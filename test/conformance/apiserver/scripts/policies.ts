// Validating admission policies at work: what they refuse and warn of, and in which words. A policy works some time after it was made,
// so each is waited for by tries of which the last is written down.
import { configMap, ok } from '../fixtures.ts'
import type { Script } from '../record.ts'
import { patchTypes, type Reply, type Session } from '../session.ts'
import type { Json } from '../transcript.ts'

const group = 'admissionregistration.k8s.io'

export interface Policy {
  readonly spec: Readonly<Record<string, Json>>
  readonly binding?: Readonly<Record<string, Json>>
  /** Data of a ConfigMap that it refuses. */
  readonly refused: Readonly<Record<string, string>>
  /** More ConfigMaps that are tried, and written down. */
  readonly tried: readonly Readonly<Record<string, string>>[]
}

const policies: Readonly<Record<string, Policy>> = {
  plain: {
    spec: { validations: [{ expression: "!has(object.data.bad) || object.data.bad != 'yes'" }] },
    refused: { bad: 'yes' },
    tried: [{}, { bad: 'no' }],
  },
  messages: {
    spec: {
      validations: [
        { expression: "object.data.a != 'x'", message: 'a is x', reason: 'Forbidden' },
        { expression: "object.data.b != 'x'", messageExpression: "'b is ' + object.data.b", message: 'unused' },
        { expression: "object.data.c != 'x'", messageExpression: 'string(object.data.nothing)', message: 'as it is' },
        { expression: "object.data.d != 'x'", reason: 'Invalid' },
        { expression: "object.data.d != 'y'", reason: 'RequestEntityTooLarge' },
      ],
    },
    refused: { a: 'x', b: 'x', c: 'x', d: 'x' },
    tried: [
      { a: '1', b: 'x', c: '1', d: '1' },
      { a: '1', b: '1', c: 'x', d: '1' },
      { a: '1', b: '1', c: '1', d: 'x' },
      { a: '1', b: '1', c: '1', d: 'y' },
      { a: '1', b: '1', c: '1', d: '1' },
    ],
  },
  variables: {
    spec: {
      variables: [
        { name: 'count', expression: 'size(object.data)' },
        { name: 'twice', expression: 'variables.count * 2' },
        { name: 'broken', expression: 'object.data.nothing' },
      ],
      validations: [
        { expression: 'variables.twice < 5', messageExpression: "'twice is ' + string(variables.twice)" },
        { expression: "!has(object.data.use) || variables.broken == ''" },
      ],
    },
    refused: { a: '1', b: '2', c: '3' },
    tried: [{ a: '1' }, { use: 'it' }],
  },
  parameters: {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'size(object.data) <= int(params.data.max)', message: 'too much' }],
    },
    binding: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    refused: { a: '1', b: '2', c: '3' },
    tried: [{ a: '1' }],
  },
  'no-parameters': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'params == null' }],
    },
    binding: { paramRef: { name: 'nobody', parameterNotFoundAction: 'Deny' } },
    refused: { a: '1' },
    tried: [],
  },
  warning: {
    spec: {
      matchConditions: [{ name: 'not-exempt', expression: '!has(object.data.exempt)' }],
      validations: [{ expression: "object.data.a != 'x'", message: 'a is x' }, { expression: "object.data.b != 'x'" }],
    },
    binding: { validationActions: ['Warn', 'Audit'] },
    refused: { a: 'x', b: 'x' },
    tried: [
      { a: 'x', b: '1' },
      { a: 'x', b: 'x', exempt: 'yes' },
    ],
  },
  broken: {
    spec: { validations: [{ expression: 'object.data.nothing == "x"' }] },
    refused: { a: '1' },
    tried: [{ nothing: 'x' }],
  },
  'broken-and-ignored': {
    spec: {
      failurePolicy: 'Ignore',
      validations: [{ expression: 'object.data.nothing == "x"' }, { expression: "object.data.a != 'x'" }],
    },
    refused: { a: 'x' },
    tried: [{ a: '1' }],
  },
  authorizer: {
    spec: {
      variables: [{ name: 'own', expression: "authorizer.requestResource.check('create').allowed()" }],
      validations: [
        {
          expression:
            "object.data.a != 'own' || !(variables.own && authorizer.path('/healthz').check('get').allowed() && authorizer.group('apps').resource('deployments').subresource('scale').namespace('a').name('b').check('update').allowed())",
          message: 'the admin may',
        },
        {
          expression:
            "object.data.a != 'account' || authorizer.serviceAccount('default', 'default').group('').resource('secrets').check('list').allowed()",
          message: 'the account may not',
        },
        {
          expression:
            "object.data.a != 'reason' || authorizer.serviceAccount('default', 'default').path('/healthz').check('get').reason() == '?'",
          messageExpression: "'no reason'",
        },
        {
          expression:
            "object.data.a != 'dear' || ['a', 'b', 'c', 'd'].all(g, authorizer.group(g).resource('x').check('get').allowed())",
          message: 'dear',
        },
        { expression: "object.data.a != 'faulty' || authorizer.requestResource.check('create').errored()", message: 'no fault' },
      ],
    },
    refused: { a: 'own' },
    tried: [{ a: 'account' }, { a: 'reason' }, { a: 'dear' }, { a: 'faulty' }, { a: '1' }],
  },
  surroundings: {
    spec: {
      validations: [
        {
          expression: "namespaceObject.metadata.name == request.namespace && request.operation == 'CREATE' && oldObject == null",
        },
        {
          expression:
            "request.userInfo.username != '' && request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
        },
        { expression: '!has(object.data.no)', message: 'no' },
      ],
    },
    refused: { no: '1' },
    tried: [{ a: '1' }],
  },
}

export const policyScripts: readonly Script[] = [
  ...Object.entries(policies).map(([name, policy]) => ({
    id: `policy-${name}`,
    title: `an admission policy: ${name}`,
    run: (s: Session) => tryPolicy(s, policy),
  })),
  { id: 'policy-refused', title: 'admission policies that cannot be', run: s => refusePolicies(s, impossible) },
  { id: 'policy-life', title: 'an admission policy over updates and deletions, and without a binding', run: life },
]

export async function tryPolicy(s: Session, { spec, binding = {}, refused, tried }: Policy): Promise<void> {
  const maps = s.path('configmaps')
  await s.post(maps, configMap('limits', { max: '2' }))
  await makePolicy(s, spec)
  await bind(s, binding)
  await works(s, refused)
  for (const [index, data] of [refused, ...tried].entries()) await s.post(`${maps}?dryRun=All`, configMap(`m${index}`, data))
  await unbind(s)
}

const impossible: readonly Readonly<Record<string, Json>>[] = [
  { validations: [{ expression: 'object.data.a ==' }] },
  { validations: [{ expression: "'text'" }] },
  { validations: [{ expression: 'nobody.knows' }] },
  { validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }] },
  { validations: [{ expression: 'true', messageExpression: '1' }] },
  { validations: [{ expression: "authorizer.requestResource.check('create')" }] },
  { validations: [{ expression: 'params != null' }] },
  { validations: [] },
  { validations: [{ expression: '' }] },
  { validations: [{ expression: 'true', reason: 'Sideways' }] },
  { validations: [{ expression: 'variables.later' }], variables: [{ name: 'a b', expression: '1' }] },
  { validations: [{ expression: 'true' }], matchConditions: [{ name: 'x', expression: '1' }] },
  { validations: [{ expression: 'true' }], failurePolicy: 'Perhaps' },
  { auditAnnotations: [{ key: 'a', valueExpression: '1' }] },
]

export async function refusePolicies(s: Session, specs: readonly Readonly<Record<string, Json>>[]): Promise<void> {
  for (const spec of specs)
    await s.post(`/apis/${group}/v1/validatingadmissionpolicies?dryRun=All`, {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: s.ns },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        ...spec,
      },
    })
}

async function life(s: Session): Promise<void> {
  const maps = s.path('configmaps')
  ok(await s.post(maps, configMap('kept', { a: '1' })), 201)
  await makePolicy(
    s,
    {
      validations: [
        { expression: "request.operation == 'DELETE' ? oldObject.data.a != '1' : object.data.a == oldObject.data.a" },
      ],
    },
    ['UPDATE', 'DELETE'],
  )
  ok(await s.patch(`${maps}/kept`, 'merge', { metadata: { labels: { un: 'bound' } } }))
  await bind(s, {})
  await s.retry('PATCH', `${maps}/kept?dryRun=All`, ({ status }) => status !== 200, {
    body: { data: { a: '2' } },
    type: patchTypes.merge,
  })
  await s.patch(`${maps}/kept`, 'merge', { data: { a: '2' } })
  await s.patch(`${maps}/kept`, 'merge', { metadata: { labels: { c: 'd' } } })
  await s.delete(`${maps}/kept`)
  await unbind(s)
}

async function makePolicy(
  s: Session,
  spec: Readonly<Record<string, Json>>,
  operations: readonly string[] = ['CREATE'],
): Promise<void> {
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': s.ns } }
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }] as unknown as Json
  const policy = { apiVersion: `${group}/v1`, kind: 'ValidatingAdmissionPolicy', metadata: { name: s.ns } }
  const matchConstraints = { namespaceSelector, resourceRules } as Json
  ok(
    await s.post(s.clusterPath(`validatingadmissionpolicies.${group}/v1`), { ...policy, spec: { matchConstraints, ...spec } }),
    201,
  )
}

async function bind(s: Session, spec: Readonly<Record<string, Json>>): Promise<void> {
  const binding = { apiVersion: `${group}/v1`, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: s.ns } }
  const at = s.clusterPath(`validatingadmissionpolicybindings.${group}/v1`)
  ok(await s.post(at, { ...binding, spec: { policyName: s.ns, validationActions: ['Deny'], ...spec } }), 201)
}

async function unbind(s: Session): Promise<void> {
  for (const plural of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
    await s.delete(`${s.clusterPath(`${plural}.${group}/v1`)}/${s.ns}`)
}

/** Until it is refused, or warned of. */
async function works(s: Session, data: Readonly<Record<string, string>>): Promise<void> {
  const isAtWork = ({ status, headers }: Reply): boolean => status !== 201 || headers.warning !== undefined
  await s.retry('POST', `${s.path('configmaps')}?dryRun=All`, isAtWork, { body: configMap('tried', data) })
}
