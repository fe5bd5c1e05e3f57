// What the operator needs where it is installed, by its settings, and of what it consists when it runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, silentLog } from '#base'
import type { KubeClient } from '#kube/client'
import { Metrics, type RunningOperator } from '#runtime'
import { admissionPath } from './admission/configuration.ts'
import { conversionPath } from './api/kinds.ts'
import { createDnsOperator, type DnsOperatorOptions, dnsWebhooks } from './create-operator.ts'
import { plainKubernetes } from './operand/request.ts'
import { type DnsSettings, dnsOperator } from './operator.ts'
import { settings } from './testing/dns-world.ts'

const place = { name: 'vouch', namespace: 'home', labels: { app: 'vouch' } } as unknown as Parameters<
  NonNullable<typeof dnsOperator.describe>
>[1]
const needs = (more: Partial<DnsSettings> = {}) => dnsOperator.describe({ ...settings, ...more }, place)

test('who does not say where operands run is told what is missing', async () => {
  await assert.rejects(needs({ isPlaced: false }), /^Error: the operator dns needs --operand-namespace: where ExternalDNS runs/)
  assert.equal(dnsOperator.needsAPerson, true)
})

test('the definition asks the webhook of this installation to convert, and stores what is said', async () => {
  const [crd, ...more] = (await needs({ storageVersion: 'v1beta2' })).crds ?? []
  assert.equal(more.length, 0)
  const spec = (crd as unknown as { readonly spec: { readonly versions: readonly object[] } }).spec
  const stored = (spec.versions as readonly { readonly name: string; readonly storage: boolean }[]).filter(one => one.storage)
  assert.deepEqual(
    stored.map(({ name }) => name),
    ['v1beta2'],
  )
  assert.match(JSON.stringify(spec), /"service":\{"namespace":"home","name":"vouch-webhook"/)
})

for (const [what, more, webhooks, hasRule] of [
  ['by default', {}, ['dns'], false],
  ['without webhooks', { servesWebhooks: false }, [], false],
  ['with Prometheus', { monitoring: 'prometheus' }, ['dns'], true],
] as const)
  test(`${what} it has ${webhooks.length} webhooks and ${hasRule ? 'rules for alerts' : 'no rules for alerts'}`, async () => {
    const found = await needs(more)
    assert.deepEqual(
      found.webhooks?.map(({ suffix }) => suffix),
      webhooks,
    )
    assert.equal(
      found.objects?.some(({ kind }) => kind === 'PrometheusRule'),
      hasRule,
    )
    assert.deepEqual(found.rights.cloud, [])
  })

function running(more: Partial<DnsSettings> = {}, sts?: DnsOperatorOptions['sts']): RunningOperator {
  const surroundings = { settings: { ...settings, ...more }, platform: plainKubernetes, hasRoutes: false }
  const client = {} as KubeClient
  const options = { surroundings, client, log: silentLog, metrics: new Metrics(), clock: new ManualClock() }
  return createDnsOperator({ ...options, ...(sts && { sts }) })
}

const sts = {} as NonNullable<DnsOperatorOptions['sts']>
for (const [what, more, tries, controllers, companions, paths] of [
  ['all is as it is by default', {}, true, 2, ['operand-logs', 'preflight', 'storage-migration'], 2],
  ['nobody can reach AWS', {}, false, 2, ['operand-logs', 'storage-migration'], 2],
  ['it serves no webhooks', { servesWebhooks: false }, true, 2, ['operand-logs', 'preflight'], 0],
  ['authorities are handed on', { trustedCaConfigMap: 'bundle' }, true, 3, ['operand-logs', 'preflight', 'storage-migration'], 2],
] as readonly (readonly [string, Partial<DnsSettings>, boolean, number, readonly string[], number])[])
  test(`where ${what}, just that runs`, () => {
    const operator = running(more, tries ? sts : undefined)
    assert.deepEqual(
      [operator.controllers.length, operator.companions?.map(({ name }) => name), Object.keys(operator.webhooks ?? {}).length],
      [controllers, companions, paths],
    )
  })

test('what is asked of the webhooks is counted, by whether it was let through', async () => {
  const judged: boolean[] = []
  const surroundings = { settings, platform: plainKubernetes, hasRoutes: true }
  const telemetry = { judged: (isAllowed: boolean) => void judged.push(isAllowed), converted: () => {} }
  const webhooks = dnsWebhooks({ surroundings, log: silentLog, telemetry, world: () => undefined })
  assert.deepEqual(Object.keys(webhooks), [admissionPath, conversionPath])
  const group = 'externaldns.olm.openshift.io'
  for (const type of ['Service', 'CRD']) {
    const spec = {
      provider: { type: 'AWS', aws: { credentials: { name: 'x' } } },
      source: { type, hostnameAnnotation: 'Allow' },
      zones: ['ZAAAAAAAAAAAA1'],
    }
    const object = { apiVersion: `${group}/v1beta1`, kind: 'ExternalDNS', metadata: { name: 'blue' }, spec }
    const resource = { group, version: 'v1beta1', resource: 'externaldnses' }
    const kind = { group, version: 'v1beta1', kind: 'ExternalDNS' }
    const request = { uid: 'u', kind, resource, operation: 'CREATE', userInfo: {}, object, oldObject: null }
    const body = Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }))
    const { signal } = new AbortController()
    await webhooks[admissionPath]?.({ contentType: 'application/json', body, signal } as never)
  }
  assert.deepEqual(judged, [true, false])
})
