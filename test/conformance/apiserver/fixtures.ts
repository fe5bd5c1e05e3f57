// The objects that cases and vectors work on, with defaults, so that a case shows only what matters to it.
import assert from 'node:assert/strict'
import type { Answer } from '../../../src/apiserver/ask.fixture.ts'
import { type Reply, Session, sharedGroup } from './session.ts'
import type { Target } from './target.ts'
import type { Json } from './transcript.ts'

export type Fields = Readonly<Record<string, Json>>
/** Fields as a script writes them, whatever is in them. */
export type Loose = Readonly<Record<string, unknown>>

export function json(value: unknown): Json {
  return value as Json
}

export function object(apiVersion: string, kind: string, name: string, spec: unknown): Json {
  return json({ apiVersion, kind, metadata: { name }, spec })
}

const main = { name: 'main', image: 'example.com/app:1' }

export function podTemplate(spec: Loose = {}, metadata: Loose = {}): Loose {
  return { metadata, spec: { containers: [main], ...spec } }
}

export function configMap(name: string, data: Fields = { a: '1' }, metadata: Fields = {}): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export function secret(name: string, rest: Fields = {}): Json {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...rest }
}

export function pod(name: string, spec: Fields = {}, metadata: Fields = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [main], ...spec },
  }
}

export function deployment(name: string, spec: Fields = {}, metadata: Fields = {}): Json {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...metadata },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [main] } },
      ...spec,
    },
  }
}

export function lease(name: string, spec: Fields = {}): Json {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec: { holderIdentity: 'a', ...spec } }
}

export function role(name: string, rules: readonly Json[] = [], rest: Fields = {}): Json {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules, ...rest }
}

export function roleBinding(name: string, roleName: string, user: string, rest: Fields = {}): Json {
  const rbac = 'rbac.authorization.k8s.io'
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name },
    subjects: [{ kind: 'User', apiGroup: rbac, name: user }],
    roleRef: { apiGroup: rbac, kind: 'Role', name: roleName },
    ...rest,
  }
}

export interface CrdOptions {
  readonly plural?: string
  readonly kind?: string
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly names?: Fields
  readonly schema?: Json
  readonly version?: Fields
  readonly versions?: readonly Json[]
  readonly spec?: Fields
  readonly metadata?: Fields
}

/** A definition in the session's group; without options one version `v1` with an open spec. */
export function definition(s: Session, options: CrdOptions = {}): Json {
  const plural = options.plural ?? 'widgets'
  const schema = options.schema ?? { type: 'object', properties: { spec: open } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${s.group}`, ...options.metadata },
    spec: {
      group: s.group,
      scope: options.scope ?? 'Namespaced',
      names: { plural, kind: options.kind ?? kindOf(plural), ...options.names },
      versions: options.versions ?? [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...options.version },
      ],
      ...options.spec,
    },
  }
}

export const open: Json = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** `widgets` → `Widget`. */
function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1).replace(/s$/, '')
}

/** The catalogue's W: status and scale, limits, an enum with default, every kind of list, a corner without schema. */
export function widgetDefinition(s: Session, version: Fields = {}, spec: Fields = {}): Json {
  return definition(s, {
    schema: widgetSchema(),
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      ...version,
    },
    spec,
  })
}

export function widgetSchema(specRest: Fields = {}): Json {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', minimum: 1, maximum: 10 },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
          replicas: { type: 'integer' },
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, value: { type: 'string' } } },
          },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          list: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
          nested: { type: 'object', properties: { x: { type: 'string' }, n: { type: 'integer' } } },
          any: open,
        },
        ...specRest,
      },
      status: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          selector: { type: 'string' },
          phase: { type: 'string' },
          conditions: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: { type: 'object', required: ['type'], properties: { type: { type: 'string' }, status: { type: 'string' } } },
          },
        },
      },
    },
  }
}

export function widget(s: Session, name: string, spec: Fields = {}, rest: Fields = {}, metadata: Fields = {}): Json {
  return { apiVersion: `${s.widgetGroup}/v1`, kind: 'Widget', metadata: { name, ...metadata }, spec, ...rest }
}

/** The widgets that the session works on. */
export function widgets(s: Session, name = '', version = 'v1'): string {
  return s.path(`widgets.${s.widgetGroup}/${version}`, name)
}

export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: { readonly plural: string }
  readonly versions: readonly { readonly name: string; readonly served: boolean }[]
}

/** Creates a definition and waits until its resource answers. */
export async function establish(s: Session, crd: Json): Promise<void> {
  const created = await s.post<Answer<DefinitionSpec>>(crds, crd)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  await s.until(`${crds}/${created.body.metadata.name}`, isEstablished)
  const { group, names, versions, scope } = created.body.spec
  if (names.plural === 'widgets') s.widgetGroup = group
  const served = versions.filter(version => version.served)
  const at = `/apis/${group}/${served[0]?.name}${scope === 'Namespaced' ? `/namespaces/${s.ns}` : ''}/${names.plural}`
  await s.until(at, reply => reply.status === 200)
}

export function isEstablished(reply: Reply): boolean {
  const conditions = reply.body.status?.conditions ?? []
  return conditions.some(condition => condition.type === 'Established' && condition.status === 'True')
}

/** What all sequences on one server share; the first sequence of the vectors. */
export async function prelude(s: Session): Promise<void> {
  const crd = widgetDefinition(s) as { spec: object }
  await establish(s, { ...crd, metadata: { name: `widgets.${sharedGroup}` }, spec: { ...crd.spec, group: sharedGroup } } as Json)
}

const prepared = new WeakMap<Target, Promise<void>>()

/** The shared widgets are there; defined by the first who asks. */
export function widgetsReady(s: Session): Promise<void> {
  let ready = prepared.get(s.target)
  if (ready === undefined) prepared.set(s.target, (ready = openPrelude(s.target)))
  return ready
}

async function openPrelude(target: Target): Promise<void> {
  if ((await new Session(target, 'prelude').get(`${crds}/widgets.${sharedGroup}`)).status === 200) return
  await prelude(await new Session(target, 'prelude').open())
}

/** The reply is a Status failure with this code, reason and message. */
export function refused(
  reply: Reply<Answer<unknown, unknown>>,
  code: number,
  reason: string | undefined,
  message?: string | RegExp,
): void {
  assert.equal(reply.status, code, JSON.stringify(reply.body))
  assert.equal(reply.body.reason, reason, JSON.stringify(reply.body))
  assert.equal(reply.body.code, code)
  if (typeof message === 'string') assert.equal(reply.body.message, message)
  else if (message !== undefined) assert.match(reply.body.message, message)
}

export function ok<Body>(reply: Reply<Body>, status = 200): Reply<Body> {
  assert.equal(reply.status, status, JSON.stringify(reply.body))
  return reply
}
