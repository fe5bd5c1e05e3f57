// What a server says of objects that are wrong in ways that people seldom are: in the same words here and there.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { collectBody, type HttpExchange } from '#base'
import { type BothServers, onBothServers } from './both-servers.ts'
import { comesAbout } from './eventually.ts'

interface Wrong {
  readonly path: string
  readonly object: object
}

const group = 'refusals.example.com'
const fixed = (apiVersion: string, kind: string, rest: object): object => ({
  apiVersion,
  kind,
  metadata: { name: 'wrong' },
  ...rest,
})
const inDefault = (resource: string, version = 'api/v1'): string => `/${version}/namespaces/default/${resource}`

const configMap = (data: object): Wrong => ({ path: inDefault('configmaps'), object: fixed('v1', 'ConfigMap', { data }) })
const registry = (text: string): Wrong => ({
  path: inDefault('secrets'),
  object: fixed('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': text } }),
})
const ingressClass = (controller: string): Wrong => ({
  path: '/apis/networking.k8s.io/v1/ingressclasses',
  object: fixed('networking.k8s.io/v1', 'IngressClass', { spec: { controller } }),
})
const job = (managedBy: string): Wrong => ({
  path: inDefault('jobs', 'apis/batch/v1'),
  object: fixed('batch/v1', 'Job', {
    spec: { managedBy, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
  }),
})
const deployment = (rollingUpdate: object, podSpec: object = {}): Wrong => ({
  path: inDefault('deployments', 'apis/apps/v1'),
  object: fixed('apps/v1', 'Deployment', {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      strategy: { type: 'RollingUpdate', rollingUpdate },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }], ...podSpec } },
    },
  }),
})
/** In a template: of a pod its ServiceAccount would be asked first. */
const podSpec = (more: object): Wrong => deployment({}, more)
const scaler = (behavior: object): Wrong => ({
  path: inDefault('horizontalpodautoscalers', 'apis/autoscaling/v2'),
  object: fixed('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, behavior },
  }),
})
const widget = (spec: object): Wrong => ({
  path: inDefault('widgets', `apis/${group}/v1`),
  object: fixed(`${group}/v1`, 'Widget', { spec }),
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  ratio: { type: 'number', minimum: 0.5, maximum: 1_234_567.5 },
                  small: { type: 'number', minimum: 0.000_012_5 },
                  step: { type: 'number', multipleOf: 0.25 },
                  count: { type: 'integer', minimum: 1_000_000, maximum: 2_000_000 },
                  letter: { type: 'string', maxLength: 1 },
                  one: { type: 'array', maxItems: 1, items: { type: 'string' } },
                  mode: { type: 'string', enum: ['a', 'b"'] },
                },
              },
            },
          },
        },
      },
    ],
  },
}

const wrong: Readonly<Record<string, Wrong>> = {
  'a ConfigMap of more than a megabyte': configMap({ a: 'x'.repeat(1_048_577) }),
  'a ConfigMap with an odd key': configMap({ 'a/b': '' }),
  'a registry that is a list': registry('[1]'),
  'a registry that is a number': registry('5'),
  'a registry that is a text': registry('"a"'),
  'a registry that is a truth': registry('true'),
  'a registry that is nothing at all': registry(''),
  'a registry that is null': registry('null'),
  'a registry with something behind': registry('{} x'),
  'a registry that ends too soon': registry('{"auths":'),
  'a registry of a word': registry('nothing'),
  'an IngressClass of 64 characters': ingressClass(`a.example/${'b'.repeat(54)}`),
  'an IngressClass of 250 characters': ingressClass(`a.example/${'b'.repeat(240)}`),
  'an IngressClass of 251 characters': ingressClass(`a.example/${'b'.repeat(241)}`),
  'an IngressClass of 251 characters and a space': ingressClass(`a.example/ ${'b'.repeat(240)}`),
  'an IngressClass without a domain': ingressClass('controller'),
  'an IngressClass without a path': ingressClass('a.example/'),
  'an IngressClass with an odd domain': ingressClass('A.example/b'),
  'an IngressClass with an odd path': ingressClass('a.example/b c'),
  'a manager of a Job without a domain': job('manager'),
  'a manager of a Job with 63 characters': job(`a.example/${'b'.repeat(53)}`),
  'a manager of a Job with 64 characters': job(`a.example/${'b'.repeat(54)}`),
  'a manager of a Job with an odd path': job('a.example/b c'),
  'a toleration of everything with a value': podSpec({
    tolerations: [{ key: 'a', operator: 'Exists', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }],
  }),
  'a toleration of everything with a value and no more': podSpec({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
  'a spread of nothing': podSpec({
    topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }],
  }),
  'a preference without weight': podSpec({
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: { topologyKey: 'a' } }],
      },
    },
  }),
  'a Deployment that may do nothing': deployment({ maxSurge: 0, maxUnavailable: 0 }),
  'a Deployment that may do nothing, in parts': deployment({ maxSurge: '0%', maxUnavailable: '0%' }),
  'a scaler without policies': scaler({ scaleUp: { policies: [] } }),
  'a scaler with an odd policy': scaler({ scaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 60 }] } }),
  'an Ingress without anything': {
    path: inDefault('ingresses', 'apis/networking.k8s.io/v1'),
    object: fixed('networking.k8s.io/v1', 'Ingress', { spec: {} }),
  },
  'a Service without a port': {
    path: inDefault('services'),
    object: fixed('v1', 'Service', { spec: { ports: [{ port: 0, protocol: 'ICMP' }] } }),
  },
  'a float that is too small': widget({ ratio: 0.25 }),
  'a float that is too large': widget({ ratio: 2_345_678.5 }),
  'a whole number that is too large for a float': widget({ ratio: 3_000_000 }),
  'a float that is tiny': widget({ small: 0.000_001_5 }),
  'a float between the steps': widget({ step: 1_000_000.1 }),
  'a whole number that is too small': widget({ count: 999_999 }),
  'a whole number that is too large': widget({ count: 12_000_000 }),
  'a float in place of a whole number': widget({ count: 1_500_000.5 }),
  'a text that is too long': widget({ letter: 'ab' }),
  'a list that is too long': widget({ one: ['a', 'b'] }),
  'a mode that is none': widget({ mode: 'c"' }),
}

type Answer = Readonly<Record<string, unknown>>

async function send(exchange: HttpExchange, method: string, target: string, object: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await exchange({ method, target, headers, body: Buffer.from(JSON.stringify(object)) })
  // Of a path that is not served yet a page tells.
  return status === 404 ? {} : (JSON.parse(Buffer.from(await collectBody(body, 4_194_304)).toString()) as Answer)
}

/** What a refusal says; of what is taken the kind. */
const saidIn = ({ kind, code, message, reason, details }: Answer): unknown =>
  kind === 'Status' ? { code, message, reason, details } : kind

const { path: widgets } = widget({})

async function serveWidgets(exchange: HttpExchange): Promise<void> {
  await send(exchange, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const isServed = async (): Promise<boolean> =>
    (await send(exchange, 'POST', `${widgets}?dryRun=All`, widget({}).object))['kind'] === 'Widget'
  await comesAbout(isServed, () => 'widgets are served')
}

const versions = [undefined, '', '0', '00', '-1', '1', 'x', ' 1', '18446744073709551615', '18446744073709551616', '1e3', 'a"b']

const bothAnswer: BothServers = {
  onEmbedded: 'the embedded server answers each of them',
  onReal: 'the real one says the same of each',
  timeoutMs: 120_000,
}

describe('objects that are wrong', { concurrency: 1 }, () => {
  onBothServers(bothAnswer, async ({ exchange }) => {
    await serveWidgets(exchange)
    const told: Record<string, unknown> = {}
    for (const [what, { path, object }] of Object.entries(wrong))
      told[what] = saidIn(await send(exchange, 'POST', `${path}?dryRun=All`, object))
    assert.ok(Object.values(told).filter(answer => typeof answer === 'object').length > 30)
    return told
  })
})

describe('updates of an object at versions that it never had', { concurrency: 1 }, () => {
  onBothServers(bothAnswer, async ({ exchange }) => {
    await serveWidgets(exchange)
    const told: Record<string, unknown> = {}
    const kept = [
      { path: widgets, object: { apiVersion: `${group}/v1`, kind: 'Widget' } },
      { path: inDefault('configmaps'), object: { apiVersion: 'v1', kind: 'ConfigMap' } },
    ]
    for (const { path, object } of kept) {
      await send(exchange, 'POST', path, { ...object, metadata: { name: 'kept' } })
      for (const resourceVersion of versions) {
        const update = { ...object, metadata: { name: 'kept', resourceVersion } }
        told[`${object.kind} at ${resourceVersion}`] = saidIn(await send(exchange, 'PUT', `${path}/kept?dryRun=All`, update))
      }
    }
    assert.equal(Object.values(told).filter(answer => answer === undefined).length, 0)
    return told
  })
})
