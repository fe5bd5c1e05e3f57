// CEL in custom resources: what passes, how the rest fails, which definitions are refused, transition rules, cost limits.
import { crds, definition, establish, ok, open } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'
import { type CelGroup, celGroups, celRefusals } from './cel-rows.ts'

export const celScripts: readonly Script[] = [
  ...celGroups.map(group => ({ id: `cel-${group.name}`, title: `CEL: ${group.name}`, run: (s: Session) => tryRules(s, group) })),
  { id: 'cel-refusals', title: 'CEL: rules that a definition is refused for', run: refusals },
  { id: 'cel-transitions', title: 'CEL: rules about the old value', run: transitions },
  { id: 'cel-ratcheting', title: 'CEL: what was invalid may stay as it is', run: ratcheting },
  { id: 'cel-root', title: 'CEL: rules at the root see metadata.name and little else', run: root },
  { id: 'cel-cost', title: 'CEL: rules that run out of budget', run: cost },
]

/** One definition for all rules of a group that compile; those that do not are recorded as refusals. */
async function tryRules(s: Session, group: CelGroup): Promise<void> {
  const properties: Record<string, Json> = {}
  for (const [index, { schema, rule, more }] of group.rows.entries()) {
    const property: Json = { ...(schema as object), 'x-kubernetes-validations': [{ rule, ...more }] }
    const alone = definition(s, { schema: specOf({ [`p${index}`]: property }) })
    const { status } = await s.quietly('POST', `${crds}?dryRun=All`, { body: alone })
    if (status === 201) properties[`p${index}`] = property
    else await s.post(`${crds}?dryRun=All`, alone)
  }
  await establish(s, definition(s, { schema: specOf(properties) }))
  for (const [index, { values }] of group.rows.entries()) {
    if (properties[`p${index}`] === undefined) continue
    for (const value of values) await tryOne(s, { [`p${index}`]: value })
  }
}

function specOf(properties: Record<string, Json>): Json {
  return { type: 'object', properties: { spec: { type: 'object', properties } } }
}

/** A dry run, so that nothing is left and each value stands alone. */
function tryOne(s: Session, spec: Json): Promise<unknown> {
  return s.post(`${s.path(`widgets.${s.group}/v1`)}?dryRun=All`, {
    apiVersion: `${s.group}/v1`,
    kind: 'Widget',
    metadata: { name: 'w' },
    spec,
  })
}

async function refusals(s: Session): Promise<void> {
  for (const [schema, rule] of celRefusals) {
    const spec: Json = {
      type: 'object',
      properties: { p: { ...(schema as object), 'x-kubernetes-validations': [rule] } as Json },
    }
    await s.post(`${crds}?dryRun=All`, definition(s, { schema: { type: 'object', properties: { spec } } }))
  }
}

async function transitions(s: Session): Promise<void> {
  const item = (rules: readonly Json[]): Json => ({
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string', maxLength: 10 }, v: { type: 'integer' } },
    'x-kubernetes-validations': rules,
  })
  const properties: Json = {
    fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    grows: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
    optional: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() ? self > oldSelf.value() : self > 10', optionalOldSelf: true }],
    },
    items: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: item([{ rule: 'self.v >= oldSelf.v', message: 'items only grow' }]),
    },
    map: {
      type: 'object',
      maxProperties: 5,
      additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != oldSelf' }] },
    },
    free: open,
  }
  await establish(s, definition(s, { schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }))
  const at = s.path(`widgets.${s.group}/v1`)
  const base = { fixed: 'a', grows: 1, optional: 11, items: [{ k: 'a', v: 5 }], map: { m: 1 } }
  const of = (spec: Json): Json => ({ apiVersion: `${s.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec })
  await s.post(at, of({ ...base, optional: 1 }))
  ok(await s.post(at, of(base)), 201)
  for (const spec of [
    { fixed: 'b' },
    { fixed: null },
    { grows: 0 },
    { grows: 2, optional: 12, map: { m: 2 } },
    { optional: 5 },
    { items: [{ k: 'a', v: 4 }] },
    { items: [{ k: 'b', v: 1 }], optional: 13, map: { m: 3 } },
    { map: { m: 3 } },
    { map: { n: 3 }, optional: 14 },
    { free: { any: 'thing' } },
  ]) {
    await s.patch(`${at}/w`, 'merge', { spec })
  }
}

async function ratcheting(s: Session): Promise<void> {
  const schema = (properties: Json): Json => ({
    type: 'object',
    properties: { spec: { type: 'object', properties }, status: open },
  })
  const loose: Json = {
    a: { type: 'integer' },
    b: { type: 'string' },
    c: { type: 'array', items: { type: 'string' } },
    d: { type: 'object', properties: { x: { type: 'integer' } } },
  }
  const tight: Json = {
    a: { type: 'integer', maximum: 5 },
    b: { type: 'string', enum: ['x'] },
    c: { type: 'array', maxItems: 1, items: { type: 'string', maxLength: 2 } },
    d: {
      type: 'object',
      properties: { x: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.x < 5', message: 'x below five' }],
    },
  }
  await establish(s, definition(s, { schema: schema(loose) }))
  const at = s.path(`widgets.${s.group}/v1`)
  const bad = { a: 9, b: 'y', c: ['long', 'longer'], d: { x: 9 } }
  ok(await s.post(at, { apiVersion: `${s.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: bad }), 201)
  const crd = `${crds}/widgets.${s.group}`
  ok(await s.patch(crd, 'json', [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: schema(tight) }]))
  // The new schema is in force when a new object is refused by it.
  const probe: Json = { apiVersion: `${s.group}/v1`, kind: 'Widget', metadata: { name: 'probe' }, spec: { a: 9 } }
  await s.retry('POST', `${at}?dryRun=All`, reply => reply.status === 422, { body: probe })
  for (const patch of [
    { metadata: { labels: { any: 'label' } } },
    { spec: { a: 9, b: 'y' } },
    { spec: { a: 8 } },
    { spec: { a: 5 } },
    { spec: { b: 'z' } },
    { spec: { c: ['long', 'longer', 'more'] } },
    { spec: { c: ['lo'] } },
    { spec: { d: { x: 8 } } },
    { spec: { d: { x: 1 } } },
    { spec: { d: { x: 9 } } },
    { spec: { a: 9 } },
  ]) {
    await s.patch(`${at}/w`, 'merge', patch)
  }
}

async function root(s: Session): Promise<void> {
  const schema: Json = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { n: { type: 'integer' } } },
      status: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    'x-kubernetes-validations': [
      { rule: 'self.metadata.name.startsWith("w")', message: 'the name begins with w' },
      { rule: 'self.kind == "Widget" && self.apiVersion.endsWith("/v1")' },
      { rule: '!has(self.status) || self.status.n <= self.spec.n', message: 'status stays below spec' },
    ],
  }
  await establish(s, definition(s, { schema, version: { subresources: { status: {} } } }))
  const at = s.path(`widgets.${s.group}/v1`)
  const of = (name: string, rest: object): Json => ({ apiVersion: `${s.group}/v1`, kind: 'Widget', metadata: { name }, ...rest })
  await s.post(at, of('x', { spec: { n: 1 } }))
  await s.post(at, of('w', { spec: { n: 1 } }))
  await s.patch(`${at}/w/status`, 'merge', { status: { n: 2 } })
  await s.patch(`${at}/w/status`, 'merge', { status: { n: 1 } })
  await s.patch(`${at}/w`, 'merge', { spec: { n: 0 } })
  const hidden: Json = { ...schema, 'x-kubernetes-validations': [{ rule: 'self.metadata.labels.size() > 0' }] }
  await s.post(`${crds}?dryRun=All`, definition(s, { plural: 'gadgets', schema: hidden }))
}

async function cost(s: Session): Promise<void> {
  // Small enough by estimate, too much for what is sent: each list of 400 is compared with itself. They stand in a list, since the real
  // server visits the fields of an object in any order and names the one at which the budget ended.
  const list: Json = { type: 'array', maxItems: 400, items: { type: 'integer' } }
  const rule = 'self.all(a, self.all(b, a >= 0 && b >= 0 && a + b >= 0 && a - b <= a))'
  const lists: Json = {
    type: 'array',
    maxItems: 3,
    items: { ...(list as object), 'x-kubernetes-validations': [{ rule }] } as Json,
  }
  const schema: Json = { type: 'object', properties: { spec: { type: 'object', properties: { lists } } } }
  await establish(s, definition(s, { schema }))
  const numbers = Array.from({ length: 400 }, (_, index) => index)
  await tryOne(s, { lists: [numbers] })
  await tryOne(s, { lists: [numbers, numbers, numbers] })
  // Many rules on one definition: the sum of the estimates has a limit of its own.
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `m${index}`,
      {
        type: 'array',
        maxItems: 1000,
        items: { type: 'string', maxLength: 1000 },
        'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains("a"))' }],
      },
    ]),
  )
  const wide: Json = { type: 'object', properties: { spec: { type: 'object', properties: many as never } } }
  await s.post(`${crds}?dryRun=All`, definition(s, { plural: 'gadgets', schema: wide }))
  for (const size of [100, 1_000, 10_000, 100_000]) {
    const one: Json = {
      type: 'array',
      maxItems: size,
      items: { type: 'string', maxLength: 100, 'x-kubernetes-validations': [{ rule: 'self.matches("^[a-z]*$")' }] },
    }
    await s.post(
      `${crds}?dryRun=All`,
      definition(s, { plural: 'gadgets', schema: { type: 'object', properties: { spec: one } } }),
    )
  }
}
